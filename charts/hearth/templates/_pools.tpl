{{/* Takes [base, over]. Answers base as YAML, with what over says differently, whatever it says: the merge of sprig leaves out false and 0. */}}
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

{{/* The pools that are switched on, by name, with what worker.poolDefaults says where they say nothing. Pulls from the queue of its name unless it names others. */}}
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

{{/* Takes { root, pool }. Bytes for one original of the largest size in each slot, and one more for the spare slot or a transcoded copy. */}}
{{- define "hearth.scratchSize" -}}
{{ mul (add1 (int64 .pool.concurrency)) (int64 (.root.Values.library.maxUploadBytes | default 53687091200)) }}
{{- end }}

{{/* Takes { root, pool }, the name of a pool. */}}
{{- define "hearth.poolLabels" -}}
{{ include "hearth.selectorLabels" (dict "root" .root "component" "worker") }}
hearth.photos/pool: {{ .pool }}
{{- end }}
