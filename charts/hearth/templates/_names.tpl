{{/* The name that every object of the release begins with. 40 characters leave room for what is put behind it. */}}
{{- define "hearth.fullname" -}}
{{- $name := .Values.fullnameOverride | default (contains "hearth" .Release.Name | ternary .Release.Name (printf "%s-hearth" .Release.Name)) -}}
{{- $name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Takes { root, component }. What selects the pods of a component, and never changes. */}}
{{- define "hearth.selectorLabels" -}}
app.kubernetes.io/name: hearth
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Takes { root, component }. The labels of an object; not for pods, which would be replaced by every version of the chart. */}}
{{- define "hearth.labels" -}}
{{ include "hearth.selectorLabels" . }}
app.kubernetes.io/part-of: hearth
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/*
Takes { root, image }. The reference of an image: registry/repository:tag@digest. A released chart has the digests of its own images, by their full names
(npm run chart:pin). An image of another name or tag gets none: the digest would win over the tag.
*/}}
{{- define "hearth.image" -}}
{{- $registry := .root.Values.global.imageRegistry | default .image.registry -}}
{{- $tag := .image.tag | default .root.Chart.AppVersion -}}
{{- $digest := .image.digest -}}
{{- if and .root.Values.global.imageDigests (not $digest) -}}
{{- $released := .root.Files.Get "files/imageDigests.json" | default "{}" | fromJson -}}
{{- $digest = get $released (printf "%s/%s:%s" .image.registry .image.repository $tag) -}}
{{- end -}}
{{- with $registry }}{{ . }}/{{ end }}{{ .image.repository }}:{{ $tag }}{{ with $digest }}@{{ . }}{{ end }}
{{- end }}

{{/* The user of Hearth's own images, for whom they hold what Node has compiled. */}}
{{- define "hearth.user" -}}
65532
{{- end }}
