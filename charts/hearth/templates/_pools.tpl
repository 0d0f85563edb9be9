{{/* Deep-merges two maps as YAML. Takes [base, over]. Unlike sprig's merge, it also applies false and 0 of `over`. */}}
{{- define "hearth.overlay" -}}
{{- $result := deepCopy (first .) -}}
{{- range $key, $value := last . -}}
  {{- $below := get $result $key -}}
  {{- if and (kindIs "map" $value) (kindIs "map" $below) -}}
    {{- $value = fromYaml (include "hearth.overlay" (list $below $value)) -}}
  {{- end -}}
  {{- $_ := set $result $key $value -}}
{{- end -}}
{{ toYaml $result }}
{{- end }}

{{/*
Returns the enabled pools by name, with the defaults of worker.poolDefaults. A pool without queues pulls from the
queue with its name.
*/}}
{{- define "hearth.pools" -}}
{{- $pools := dict -}}
{{- range $name, $pool := .Values.worker.pools -}}
  {{- $pool = fromYaml (include "hearth.overlay" (list $.Values.worker.poolDefaults ($pool | default dict))) -}}
  {{- if $pool.enabled -}}
    {{- $_ := set $pool "queues" ($pool.queues | default (list $name)) -}}
    {{- $_ := set $pools $name $pool -}}
  {{- end -}}
{{- end -}}
{{ toYaml $pools }}
{{- end }}

{{/*
Returns the scratch size in bytes: one original of maximum size per item processed at once, and one more. The latter is
for the additional item of workers of the queue media, or for a transcoded copy. Takes { root, pool }.
*/}}
{{- define "hearth.scratchSize" -}}
{{ mul (add1 (int64 .pool.concurrency)) (int64 (.root.Values.library.maxUploadBytes | default 53687091200)) }}
{{- end }}

{{/* Renders the labels of a pool. Takes { root, pool }, the name of the pool. */}}
{{- define "hearth.poolLabels" -}}
{{ include "hearth.selectorLabels" (dict "root" .root "component" "worker") }}
hearth.photos/pool: {{ .pool }}
{{- end }}
