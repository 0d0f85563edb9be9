{{/* Returns the name of the Secret with the API's passwords and keys. */}}
{{- define "hearth.keysSecret" -}}
{{ .Values.secrets.existingSecret | default (printf "%s-keys" (include "hearth.fullname" .)) }}
{{- end }}

{{/* Returns the name of the Secret of the bundled or existing PostgreSQL. */}}
{{- define "hearth.postgresSecret" -}}
{{- if .Values.postgres.enabled -}}
{{ .Values.postgres.existingSecret | default (printf "%s-postgres" (include "hearth.fullname" .)) }}
{{- else -}}
{{ .Values.postgres.existing.secretName }}
{{- end -}}
{{- end }}

{{- define "hearth.postgresUrlKey" -}}
{{ .Values.postgres.enabled | ternary "url" .Values.postgres.existing.urlKey }}
{{- end }}

{{/* Returns the name of the Secret of the bundled or existing Redis. */}}
{{- define "hearth.redisSecret" -}}
{{- if .Values.redis.enabled -}}
{{ .Values.redis.existingSecret | default (printf "%s-redis" (include "hearth.fullname" .)) }}
{{- else -}}
{{ .Values.redis.existing.secretName }}
{{- end -}}
{{- end }}

{{- define "hearth.redisUrlKey" -}}
{{ .Values.redis.enabled | ternary "url" .Values.redis.existing.urlKey }}
{{- end }}

{{/* Returns the name of the Secret of the bundled or existing S3 store. */}}
{{- define "hearth.s3Secret" -}}
{{- if .Values.minio.enabled -}}
{{ .Values.minio.existingSecret | default (printf "%s-minio" (include "hearth.fullname" .)) }}
{{- else -}}
{{ .Values.s3.existing.secretName }}
{{- end -}}
{{- end }}

{{/*
Returns a JSON list of the Secrets that the Job creates, or nothing if all exist. Each lists its keys in order, and how
their values are generated. {key} in a text refers to an earlier key.
*/}}
{{- define "hearth.madeSecrets" -}}
{{- $name := include "hearth.fullname" . -}}
{{- $secrets := list -}}
{{- if not .Values.secrets.existingSecret -}}
{{- $keys := list
  (dict "key" "admin-password" "random" "password")
  (dict "key" "token-secret" "random" "hex")
  (dict "key" "link-secret" "random" "hex") -}}
{{- $secrets = append $secrets (dict "name" (include "hearth.keysSecret" .) "keys" $keys) -}}
{{- end -}}
{{- if and .Values.postgres.enabled (not .Values.postgres.existingSecret) -}}
{{- $keys := list
  (dict "key" "superuser-password" "random" "hex")
  (dict "key" "password" "random" "hex")
  (dict "key" "url" "text" (printf "postgres://hearth:{password}@%s-postgres:5432/hearth" $name)) -}}
{{- $secrets = append $secrets (dict "name" (include "hearth.postgresSecret" .) "keys" $keys) -}}
{{- end -}}
{{- if and .Values.redis.enabled (not .Values.redis.existingSecret) -}}
{{- $keys := list
  (dict "key" "password" "random" "hex")
  (dict "key" "url" "text" (printf "redis://:{password}@%s-redis:6379/0" $name)) -}}
{{- $secrets = append $secrets (dict "name" (include "hearth.redisSecret" .) "keys" $keys) -}}
{{- end -}}
{{- if and .Values.minio.enabled (not .Values.minio.existingSecret) -}}
{{- $keys := list
  (dict "key" "access-key" "text" "hearth")
  (dict "key" "secret-key" "random" "hex") -}}
{{- $secrets = append $secrets (dict "name" (include "hearth.s3Secret" .) "keys" $keys) -}}
{{- end -}}
{{- if $secrets }}{{ toJson $secrets }}{{ end -}}
{{- end }}

{{/* Renders hook annotations with a weight. The Job and its objects exist only while it runs. */}}
{{- define "hearth.secretsHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{/* Renders annotations of a pre-upgrade hook with a weight. An installation includes the CRD itself. */}}
{{- define "hearth.definitionHook" -}}
helm.sh/hook: pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}
