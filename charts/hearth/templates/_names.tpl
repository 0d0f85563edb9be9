{{/* Returns the name prefix of all objects. The limit of 40 characters leaves space for suffixes. */}}
{{- define "hearth.fullname" -}}
{{- $name := .Values.fullnameOverride | default (contains "hearth" .Release.Name | ternary .Release.Name (printf "%s-hearth" .Release.Name)) -}}
{{- $name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Renders the immutable labels that select the pods of a component. Takes { root, component }. */}}
{{- define "hearth.selectorLabels" -}}
app.kubernetes.io/name: hearth
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/*
Renders the labels of an object. Takes { root, component }. Not for pods, because a new chart version would replace
them all.
*/}}
{{- define "hearth.labels" -}}
{{ include "hearth.selectorLabels" . }}
app.kubernetes.io/part-of: hearth
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/*
Returns the reference of an image, registry/repository:tag@digest. Takes { root, image }. A released chart contains
the digests of its own images by full name (npm run chart:pin). Images with another name or tag get none, because the
digest would override the tag.
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

{{/* User of Hearth's own images. Their compile cache is valid only for this user. */}}
{{- define "hearth.user" -}}
65532
{{- end }}
