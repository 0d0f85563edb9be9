{{- define "hearth.databaseEnv" -}}
- name: HEARTH_DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ include "hearth.postgresSecret" . }}, key: {{ include "hearth.postgresUrlKey" . }} } }
{{- if and (not .Values.postgres.enabled) .Values.postgres.existing.directUrlKey }}
- name: HEARTH_DATABASE_DIRECT_URL
  valueFrom: { secretKeyRef: { name: {{ include "hearth.postgresSecret" . }}, key: {{ .Values.postgres.existing.directUrlKey }} } }
{{- end }}
{{- end }}

{{- define "hearth.redisEnv" -}}
- name: HEARTH_REDIS_URL
  valueFrom: { secretKeyRef: { name: {{ include "hearth.redisSecret" . }}, key: {{ include "hearth.redisUrlKey" . }} } }
{{- end }}

{{- define "hearth.s3Env" -}}
{{- $endpoint := printf "http://%s-minio:9000" (include "hearth.fullname" .) -}}
{{- $existing := .Values.s3.existing -}}
- { name: HEARTH_S3_ENDPOINT, value: {{ .Values.minio.enabled | ternary $endpoint $existing.endpoint | quote }} }
- { name: HEARTH_S3_BUCKET, value: {{ .Values.s3.bucket | quote }} }
- name: HEARTH_S3_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ include "hearth.s3Secret" . }}, key: {{ .Values.minio.enabled | ternary "access-key" $existing.accessKeyKey }} } }
- name: HEARTH_S3_SECRET_KEY
  valueFrom: { secretKeyRef: { name: {{ include "hearth.s3Secret" . }}, key: {{ .Values.minio.enabled | ternary "secret-key" $existing.secretKeyKey }} } }
{{- with .Values.s3.region }}
- { name: HEARTH_S3_REGION, value: {{ . | quote }} }
{{- end }}
{{- with .Values.s3.publicUrl }}
- { name: HEARTH_S3_PUBLIC_URL, value: {{ . | quote }} }
{{- end }}
{{- if .Values.s3.directLinks }}
- { name: HEARTH_S3_DIRECT_LINKS, value: "1" }
{{- end }}
{{- with .Values.s3.capacityBytes }}
- { name: HEARTH_S3_CAPACITY_BYTES, value: {{ int64 . | quote }} }
{{- end }}
{{- end }}

{{/* Renders the environment variables shared by the API and the workers, including the addresses of their servers. */}}
{{- define "hearth.commonEnv" -}}
{{ include "hearth.databaseEnv" . }}
{{ include "hearth.redisEnv" . }}
{{ include "hearth.s3Env" . }}
- { name: HEARTH_METRICS_HOST, value: {{ .Values.library.listenAddress | quote }} }
- { name: HEARTH_METRICS_PORT, value: '9464' }
- { name: HEARTH_DATA_DIR, value: /data }
- { name: HEARTH_LOG_LEVEL, value: {{ .Values.library.logLevel }} }
{{- with .Values.library.timeZone }}
- { name: HEARTH_TIMEZONE, value: {{ . | quote }} }
{{- end }}
{{- with .Values.library.featuresOff }}
- { name: HEARTH_FEATURES_OFF, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}

{{/* Returns the trusted proxies. A proxy in the cluster has a private address. */}}
{{- define "hearth.trustedProxies" -}}
{{- $isProxied := or .Values.ingress.enabled .Values.httpRoute.enabled -}}
{{ join "," .Values.library.trustedProxies | default ($isProxied | ternary "uniquelocal" "") }}
{{- end }}

{{- /* Renders the variables of the models, for workers and the API. */}}
{{- define "hearth.modelsEnv" -}}
{{- with .mirror }}
- { name: HEARTH_MODEL_MIRROR, value: {{ . | quote }} }
{{- end }}
{{- with .search }}
- { name: HEARTH_SEARCH_MODEL, value: {{ . | quote }} }
{{- end }}
{{- if .isOffline }}
- { name: HEARTH_OFFLINE, value: '1' }
{{- end }}
{{- end }}
