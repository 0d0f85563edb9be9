{{/*
Renders the common part of pod specs. Takes { root, user, settings, hasToken }: no API server token unless hasToken,
no privileges on the node, and scheduling constraints. Service links are off, because a Service named hearth would add
variables such as HEARTH_PORT, which are settings of Hearth.
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

{{/* Spreads pods over nodes where possible. Takes { labels }, which select the pods. */}}
{{- define "hearth.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- .labels | nindent 8 }}
{{- end }}

{{/*
Renders the security context of a container: the restricted Pod Security Standard with a read-only root file system.
*/}}
{{- define "hearth.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Renders the image of a container. On failure, the pod status shows the end of its log. Takes { root, image }. */}}
{{- define "hearth.containerImage" -}}
image: {{ include "hearth.image" . }}
imagePullPolicy: {{ .root.Values.global.imagePullPolicy }}
terminationMessagePolicy: FallbackToLogsOnError
{{- end }}

{{/* Renders the metadata of pods. Takes { labels, settings }. */}}
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

{{/* Renders environment variables from a map of names and values. */}}
{{- define "hearth.extraEnv" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/*
Renders the liveness probe of a process: it succeeds while the event loop runs. The numbers come from
docs/docs/dev-guide/processes.md. On a node with busy cores, processes respond late, and a restart would make that worse.
*/}}
{{- define "hearth.liveness" -}}
periodSeconds: 10
timeoutSeconds: 10
failureThreshold: 6
{{- end }}
