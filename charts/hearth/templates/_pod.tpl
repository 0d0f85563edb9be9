{{/*
Takes { root, user, settings, hasToken }. What the pods of a workload have in common: no token for the cluster unless hasToken says so, no rights on the node, and where they may run.
Service links are off, because the variables that a Service named hearth would add, such as HEARTH_PORT, are settings of Hearth.
*/}}
{{- define "hearth.podSpec" -}}
automountServiceAccountToken: {{ .hasToken | default false }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.global.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .settings.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .settings.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Takes { labels }, those that select the pods. Spreads them over nodes where that is possible. */}}
{{- define "hearth.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- .labels | nindent 8 }}
{{- end }}

{{/* The restricted Pod Security Standard for a container, and a root file system that nothing is written to. */}}
{{- define "hearth.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Takes { root, image }. A container that fails shows the end of its log in the status of the pod. */}}
{{- define "hearth.containerImage" -}}
image: {{ include "hearth.image" . }}
imagePullPolicy: {{ .root.Values.global.imagePullPolicy }}
terminationMessagePolicy: FallbackToLogsOnError
{{- end }}

{{/* Takes { labels, settings }. The metadata of pods. */}}
{{- define "hearth.podMetadata" -}}
labels:
  {{- .labels | nindent 2 }}
  {{- with .settings.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .settings.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Takes a map of names and values. */}}
{{- define "hearth.extraEnv" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* The probe of a process that answers as long as its event loop turns; the numbers are those of docs/docs/dev-guide/processes.md. A node whose cores
are all taken answers late, and a restart would make that worse. */}}
{{- define "hearth.liveness" -}}
periodSeconds: 10
timeoutSeconds: 10
failureThreshold: 6
{{- end }}
