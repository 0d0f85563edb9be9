{{/* Renders the spec of a volume claim. Takes { size, storageClassName, accessModes }. */}}
{{- define "hearth.claimSpec" -}}
accessModes: {{- toYaml .accessModes | nindent 2 }}
{{- with .storageClassName }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests: { storage: {{ .size }} }
{{- end }}

{{/*
Renders the common spec of a server with data: one pod with one volume, which is kept on uninstall and on scaling.
Takes { root, component, settings }. The claim has only the selector labels, because a claim template is immutable.
*/}}
{{- define "hearth.dataSet" -}}
{{- $labels := include "hearth.selectorLabels" (dict "root" .root "component" .component) -}}
replicas: 1
serviceName: {{ include "hearth.fullname" .root }}-{{ .component }}
selector:
  matchLabels: {{- $labels | nindent 4 }}
persistentVolumeClaimRetentionPolicy: { whenDeleted: Retain, whenScaled: Retain }
{{- if not .settings.persistence.existingClaim }}
volumeClaimTemplates:
  - apiVersion: v1
    kind: PersistentVolumeClaim
    metadata:
      name: data
      labels: {{- $labels | nindent 8 }}
    spec: {{- include "hearth.claimSpec" .settings.persistence | nindent 6 }}
{{- end }}
{{- end }}

{{/* Renders the volume of an existing claim. Takes the settings of a server with data. */}}
{{- define "hearth.dataVolume" -}}
{{- with .persistence.existingClaim }}
- name: data
  persistentVolumeClaim: { claimName: {{ . }} }
{{- end }}
{{- end }}

{{/* Renders the Service of a server with data. Takes { root, component, port }. */}}
{{- define "hearth.dataService" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "hearth.fullname" .root }}-{{ .component }}
  labels: {{- include "hearth.labels" . | nindent 4 }}
spec:
  selector: {{- include "hearth.selectorLabels" . | nindent 4 }}
  ports:
    - { name: {{ .component }}, port: {{ .port }}, targetPort: {{ .component }} }
{{- end }}
