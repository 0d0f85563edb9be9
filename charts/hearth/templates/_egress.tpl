{{/*
All addresses except link-local ones and cloud metadata services: 169.254.169.254 (AWS, Google, Azure and others),
further IPv4 addresses of Azure, Alibaba and Oracle, and IPv6 addresses of AWS and Google. Pods are matched by a
selector, because some network plugins match no pod by its address.
*/}}
{{- define "hearth.anyPeer" -}}
- namespaceSelector: {}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [169.254.0.0/16, 168.63.129.16/32, 100.100.100.200/32, 192.0.0.192/32]
- ipBlock:
    cidr: ::/0
    except: ['fe80::/10', 'fd00:ec2::/32', 'fd20:ce::254/128']
{{- end }}

{{/* Public addresses only: no pods, no private networks, no metadata services. */}}
{{- define "hearth.publicPeer" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 168.63.129.16/32, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.168.0.0/16]
- ipBlock: { cidr: '2000::/3' }
{{- end }}

{{/* Renders an egress rule, or nothing without ports. Takes { ports, to, peers }: peers is YAML for an empty `to`. */}}
{{- define "hearth.egressRule" -}}
{{- if .ports -}}
- ports:
    {{- range .ports }}
    - { port: {{ int . }} }
    {{- end }}
  to:
    {{- if .to }}
    {{- toYaml .to | nindent 4 }}
    {{- else }}
    {{- .peers | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}

{{/* Returns the port of an http or https URL. */}}
{{- define "hearth.urlPort" -}}
{{- $url := urlParse . -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (eq $url.scheme "https" | ternary "443" "80") -}}
{{- end }}

{{/* Renders a rule for a bundled server. Takes { root, component, port }. */}}
{{- define "hearth.bundledRule" -}}
- ports:
    - { port: {{ .port }} }
  to:
    - podSelector:
        matchLabels: {{- include "hearth.selectorLabels" . | nindent 10 }}
{{- end }}

{{/* Renders the DNS rule for both protocols, because long DNS responses use TCP. */}}
{{- define "hearth.dnsRule" -}}
{{- with .Values.networkPolicy.egress.dns -}}
- ports:
    {{- range .ports }}
    - { port: {{ int . }}, protocol: UDP }
    - { port: {{ int . }}, protocol: TCP }
    {{- end }}
  to:
    {{- if .to }}
    {{- toYaml .to | nindent 4 }}
    {{- else }}
    {{- include "hearth.anyPeer" . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}

{{- define "hearth.postgresRule" -}}
{{- if .Values.postgres.enabled -}}
{{ include "hearth.bundledRule" (dict "root" . "component" "postgres" "port" 5432) }}
{{- else -}}
{{ include "hearth.egressRule" (merge (dict "peers" (include "hearth.anyPeer" .)) .Values.networkPolicy.egress.postgres) }}
{{- end }}
{{- end }}

{{- define "hearth.redisRule" -}}
{{- if .Values.redis.enabled -}}
{{ include "hearth.bundledRule" (dict "root" . "component" "redis" "port" 6379) }}
{{- else -}}
{{ include "hearth.egressRule" (merge (dict "peers" (include "hearth.anyPeer" .)) .Values.networkPolicy.egress.redis) }}
{{- end }}
{{- end }}

{{- define "hearth.s3Rule" -}}
{{- $s3 := .Values.networkPolicy.egress.s3 -}}
{{- if .Values.minio.enabled -}}
{{ include "hearth.bundledRule" (dict "root" . "component" "minio" "port" 9000) }}
{{- else -}}
{{- $ports := $s3.ports | default (list (include "hearth.urlPort" .Values.s3.existing.endpoint)) -}}
{{ include "hearth.egressRule" (dict "ports" $ports "to" $s3.to "peers" (include "hearth.anyPeer" .)) }}
{{- end }}
{{- end }}

{{/*
Renders rules for download mirrors. Takes { root, mirrors }: models.mirror, models.geoMirror or both. A folder needs
no connection. Without a mirror, files come from public servers.
*/}}
{{- define "hearth.downloadRules" -}}
{{- $root := .root -}}
{{- $models := $root.Values.networkPolicy.egress.models -}}
{{- range .mirrors | uniq -}}
{{- if regexMatch "^https?://" . }}
{{ include "hearth.egressRule" (dict "ports" ($models.ports | default (list (include "hearth.urlPort" .))) "to" $models.to "peers" (include "hearth.anyPeer" $root)) }}
{{- else if not (or . $root.Values.models.isOffline) }}
{{ include "hearth.egressRule" (dict "ports" ($models.ports | default (list 443)) "to" $models.to "peers" (include "hearth.publicPeer" $root)) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Renders the egress rules of a component, or nothing if it opens no connections. Takes { root, component }. */}}
{{- define "hearth.egress" -}}
{{- $egress := .root.Values.networkPolicy.egress -}}
{{- if has .component (list "api" "worker") -}}
{{ include "hearth.dnsRule" .root }}
{{ include "hearth.postgresRule" .root }}
{{ include "hearth.redisRule" .root }}
{{ include "hearth.s3Rule" .root }}
{{- if eq .component "api" }}
{{- include "hearth.downloadRules" (dict "root" .root "mirrors" (list .root.Values.models.mirror)) }}
{{- end }}
{{- with $egress.extra }}
{{ toYaml . }}
{{- end }}
{{- else if eq .component "operator" -}}
{{- if $egress.apiServer.to -}}
{{ include "hearth.dnsRule" .root }}
{{ include "hearth.redisRule" .root }}
{{ include "hearth.egressRule" $egress.apiServer }}
{{- else -}}
{{- /* The API server usually runs on a node, and Cilium matches no node by an ipBlock. */ -}}
- {}
{{- end }}
{{- else if and (eq .component "site") .root.Values.site.tryIt -}}
{{ include "hearth.dnsRule" .root }}
{{ include "hearth.bundledRule" (dict "root" .root "component" "api" "port" 5001) }}
{{- end }}
{{- end }}

{{/*
Renders egress rules for a pool's downloads: models for the queue ml, postcodes for the place map. Takes { root, pool }.
*/}}
{{- define "hearth.poolDownloads" -}}
{{- $models := .root.Values.models -}}
{{- $mirrors := list -}}
{{- if has "ml" .pool.queues }}{{ $mirrors = append $mirrors $models.mirror }}{{ end -}}
{{- if and $models.makePlaces (has "media" .pool.queues) }}{{ $mirrors = append $mirrors $models.geoMirror }}{{ end -}}
{{ include "hearth.downloadRules" (dict "root" .root "mirrors" $mirrors) | trim }}
{{- end }}
