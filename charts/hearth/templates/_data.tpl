{{/* Takes { size, storageClassName, accessModes }. */}}
{{- define "hearth.claimSpec" -}}
accessModes: {{- toYaml .accessModes | nindent 2 }}
{{- with .storageClassName }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests: { storage: {{ .size }} }
{{- end }}

{{/*
Takes { root, component, settings }. How a server with data runs: one pod with one volume, which neither an uninstallation nor a scaling removes. The labels
of the claim are those that never change, since a claim's template cannot.
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

{{/* Takes the settings of a server with data. */}}
{{- define "hearth.dataVolume" -}}
{{- with .persistence.existingClaim }}
- name: data
  persistentVolumeClaim: { claimName: {{ . }} }
{{- end }}
{{- end }}

{{/* Takes { root, component, port }. */}}
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
