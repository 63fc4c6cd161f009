# Completion of landfall for bash. Written by: landfall completion bash
_landfall() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" prefix=""
  local -a seen=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
  if [ "$word" = "=" ]; then
    word=""
  elif [ "$before" = "=" ]; then
    before="${COMP_WORDS[COMP_CWORD-2]}"
  else
    case "$word" in
      --*=*) before="${word%%=*}" prefix="${word%%=*}=" word="${word#*=}" ;;
    esac
  fi
  local called="" each files=""
  local -a offers=() options=()
  for each in "${seen[@]}"; do
    case "$called $each" in
      ' init' | ' schema' | ' lock' | ' build' | ' preview' | ' verify' | ' inspect' | ' diff' | ' explain' | ' keygen' | ' sign' | ' trust' | ' trust rotate' | ' trust show' | ' trust help' | ' channel' | ' channel add' | ' channel withdraw' | ' channel remove' | ' channel sign' | ' channel show' | ' channel help' | ' user-data' | ' page' | ' serve' | ' upload' | ' install' | ' push' | ' site' | ' site push' | ' site help' | ' smoke' | ' probe' | ' probe hub' | ' probe mirrors' | ' route' | ' route show' | ' route on' | ' route off' | ' route pac' | ' route proxychains' | ' route import' | ' route export' | ' route help' | ' editor' | ' editor configure' | ' editor check' | ' editor remove' | ' editor help' | ' completion' | ' manual' | ' help') called="$called $each" ;;
      *) break ;;
    esac
  done
  case "$called" in
    '') options=('--version:output the version number' '--help:display help for command') offers=('init:create site.yaml, and appliance.yaml for your own release' 'schema:print the JSON Schema of appliance.yaml or site.yaml, for editors' 'lock:pin images, files and models by digest in appliance.lock.yaml' 'build:build signed bundles from appliance.yaml' 'preview:run the stack of a bundle on this computer, with Docker' 'verify:verify that a bundle is complete and signed by a trusted key' 'inspect:print the contents of a bundle without verifying it' 'diff:compare two releases, or two lock files' 'explain:read another person'\''s user-data before you paste it' 'keygen:create a key pair that signs releases' 'sign:sign a bundle with another key, such as the recovery key' 'trust:change and show the keys that servers trust' 'channel:maintain the list of releases from which servers learn of updates' 'user-data:render the user-data that sets up a new server' 'page:write the web page that makes user-data in a browser' 'serve:serve a release over HTTP, for a LAN or an SSH tunnel' 'upload:upload a release to an S3 bucket or over SFTP, and check its URL' 'install:set up a server over SSH' 'push:send the bundle to a server that waits for it, or update a server' 'site:change the site of a server' 'smoke:test a running server from this machine' 'probe:test which route reaches the hosted providers' 'route:set the proxy of your shells, and import proxies' 'editor:proxy settings of code editors: configure, check, remove' 'completion:print a completion script for your shell' 'manual:print the manual page for `man landfall`' 'help:display help for command') files="" ;;
    ' init') options=('--own-release:build your own release instead of using the published one' '--release-url:URL of the folder that will contain your own release, or push' '--ssh-key:SSH public key that may log in, as a file or a line; repeatable' '--user:login user (default: ops)' '--ui-host:host name of the chat UI' '--tls:source of the TLS certificate' '--dns-provider:validate host names by DNS records instead of port 80, such as alidns' '--email:email address for the certificate authority' '--accept-terms:accept the certificate authority'\''s terms of service' '--route:URL of an HTTP or SOCKS5 proxy that the server uses, or client' '--mirrors:public mirrors of mainland China' '--timezone:time zone of the server, such as Asia/Shanghai' '--language:language of the questions (default: that of the locale)' '--provider:hosted provider for the relay; repeatable' '--component:front-end besides Open WebUI; repeatable' '--memory:memory of the server: an own release gets the models that fit (default: any)' '--arch:processor of the server, for an own release; repeatable (amd64 without it)' '--no-local-models:use hosted models only' '--yes:do not prompt; use defaults for missing flags' '--force:overwrite existing files' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' schema') options=('--write:for maintainers: update the checked-in schemas and tables' '--check:for maintainers: fail if a checked-in copy is out of date' '--help:display help for command') offers=('appliance:' 'site:') files="" ;;
    ' lock') options=('--config:path of the appliance' '--check:change nothing; fail if the lock file does not match the appliance' '--update:resolve this component, file or model again (default: all)' '--store:folder of the blob store (default: the user cache folder)' '--mirror:try this mirror of a registry or of github.com first; repeatable (default: the mirrors of the site.yaml beside the appliance)' '--proxy:use this proxy for all connections (default: HTTPS_PROXY)' '--ca:also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' '--concurrency:number of parallel downloads (default: 12)' '--quiet:print only errors' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' build') options=('--full:include all images and models in the bundle' '--thin:reference images by digest; the server pulls them (default)' '--arch:build only for this architecture; repeatable' '--config:path of the appliance' '--output:output folder' '--key:private key: a file, env:NAME, or - for standard input (default: release.key of `landfall keygen`)' '--frozen:do not change the lock file; fail if it is outdated or incomplete' '--without:leave out an optional component or a model; repeatable' '--max-part-size:write a larger bundle in parts of at most this size, such as 1.9GB' '--public:fail if the license of anything in the bundle is not known' '--reproduce:compare with a published release.json, a file or URL, instead of building' '--store:folder of the blob store (default: the user cache folder)' '--mirror:try this mirror of a registry or of github.com first; repeatable (default: the mirrors of the site.yaml beside the appliance)' '--proxy:use this proxy for all connections (default: HTTPS_PROXY)' '--ca:also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' '--concurrency:number of parallel downloads (default: 12)' '--quiet:print only errors' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' preview') options=('--site:site with the components and providers (default: no options)' '--name:name of the preview (default: from the current folder)' '--port:port of the chat UI (default: 8443, or a free one)' '--key:trusted public key; repeatable' '--recovery-key:trusted recovery key' '--accept-new-keys:trust the keys that a release announces, and print both lists' '--no-open:do not open the browser' '--down:remove the preview' '--keep-data:with --down: keep the volumes with chats and models' '--quiet:print only errors' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' verify') options=('--key:trusted public key; repeatable' '--recovery-key:trusted recovery key' '--accept-new-keys:trust the keys that a release announces, and print both lists' '--pinned:required SHA-256 of release.json' '--arch:required architecture' '--quiet:print only errors' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' inspect') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' diff') options=('--key:trusted public key, to verify both releases; repeatable' '--recovery-key:trusted recovery key' '--markdown:print Markdown for pull requests and release notes' '--json:print the result as JSON' '--exit-code:exit with 1 if there are differences, and with 0 if not' '--help:display help for command') offers=() files="yes" ;;
    ' explain') options=('--release:bundles of its release, their folder, or their release.json files, to compare it with' '--key:trusted public key; repeatable' '--recovery-key:trusted recovery key' '--accept-new-keys:trust the keys that a release announces, and print both lists' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' keygen') options=('--name:name of the key pair in the key folder' '--output:write <path>.key and <path>.pub instead of using the key folder' '--passphrase:encrypt the private key with a passphrase' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' sign') options=('--key:private key: a file, env:NAME, or - for standard input' '--quiet:print only errors' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' trust') options=('--help:display help for command') offers=('rotate:replace the trusted keys; needs the recovery key' 'show:show the keys after the last rotation' 'help:display help for command') files="" ;;
    ' trust rotate') options=('--folder:folder with trust/, the channels and the releases' '--product:product of the appliance' '--json:print the keys as JSON' '--key:private recovery key: a file, env:NAME, or -' '--release-key:public release key from now on; repeatable' '--recovery-key:public recovery key from now on (default: the same)' '--revoke:public key that is never trusted again; repeatable' '--floor:the oldest release that servers install from now on' '--help:display help for command') offers=() files="" ;;
    ' trust show') options=('--folder:folder with trust/, the channels and the releases' '--product:product of the appliance' '--json:print the keys as JSON' '--help:display help for command') offers=() files="" ;;
    ' trust help') options=() offers=('rotate:replace the trusted keys; needs the recovery key' 'show:show the keys after the last rotation' 'help:display help for command') files="" ;;
    ' channel') options=('--help:display help for command') offers=('add:add the bundles of a release folder' 'withdraw:offer a release to no server, and tell those that run it' 'remove:drop an old release, to make room' 'sign:sign the channel, with the next serial, for 60 days' 'show:show the releases of the channel' 'help:display help for command') files="" ;;
    ' channel add') options=('--channel:folder of the channel, named after it' '--json:print the channel as JSON' '--notes:text for administrators, at most 4 kB' '--security:the most severe security problem that it solves' '--help:display help for command') offers=() files="yes" ;;
    ' channel withdraw') options=('--channel:folder of the channel, named after it' '--json:print the channel as JSON' '--reason:why, for their administrators' '--help:display help for command') offers=() files="" ;;
    ' channel remove') options=('--channel:folder of the channel, named after it' '--json:print the channel as JSON' '--help:display help for command') offers=() files="" ;;
    ' channel sign') options=('--channel:folder of the channel, named after it' '--json:print the channel as JSON' '--key:private release key: a file, env:NAME, or -' '--help:display help for command') offers=() files="" ;;
    ' channel show') options=('--channel:folder of the channel, named after it' '--json:print the channel as JSON' '--help:display help for command') offers=() files="" ;;
    ' channel help') options=() offers=('add:add the bundles of a release folder' 'withdraw:offer a release to no server, and tell those that run it' 'remove:drop an old release, to make room' 'sign:sign the channel, with the next serial, for 60 days' 'show:show the releases of the channel' 'help:display help for command') files="" ;;
    ' user-data') options=('--site:path of the site' '--release:bundles of one release, their folder, or their release.json files (default: the release of the package)' '--part-size:size of the parts, if release.json files are given for a bundle in parts' '--key:trusted public key; repeatable' '--recovery-key:trusted recovery key' '--accept-new-keys:trust the keys that a release announces, and print both lists' '--provider:check the limits of this provider' '--format:format of the user-data, or a shell script that does the same (default: cloud-config, or what the provider has)' '--output:output file; - for standard output (default: user-data.yaml, or user-data.sh for a script)' '--allow-route-password:allow a proxy password in route.url' '--check-urls:check that the URLs of the site serve the release' '--proxy:use this proxy for downloads and --check-urls (default: HTTPS_PROXY)' '--quiet:print only errors and warnings' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' page') options=('--output:output file; - for standard output' '--help:display help for command') offers=() files="" ;;
    ' serve') options=('--listen:address and port; port 0 selects a free one' '--quiet:print no downloads' '--json:print the URLs and files as JSON, once the server is ready' '--help:display help for command') offers=() files="yes" ;;
    ' upload') options=('--to:s3://bucket/folder, the https URL of a bucket, or sftp://user@host/folder' '--endpoint:S3 endpoint (default: AWS_ENDPOINT_URL_S3, or AWS)' '--region:region (default: that of the endpoint, AWS_REGION, or us-east-1)' '--virtual-host:put the bucket into the host name (default: what the cloud of the endpoint needs)' '--ssh-config:configuration file of ssh (default: ~/.ssh/config)' '--public-url:URL of the folder for servers; it is checked after the upload' '--proxy:use this proxy for HTTP (default: HTTPS_PROXY)' '--ca:also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' '--quiet:print only errors' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' install') options=('--site:path of the site' '--release:bundles of one release, or their folder' '--key:trusted public key; repeatable' '--recovery-key:trusted recovery key' '--accept-new-keys:trust the keys that a release announces, and print both lists' '--allow-route-password:allow a proxy password in route.url' '--proxies:proxies for a site with route.mode client, as for route import' '--restore:for a site with restore: restore the backup on this terminal' '--strict:with --proxies: fail at any problem instead of leaving entries out' '--identity:private key for the login' '--jump:jump host, as for ssh -J' '--ssh-proxy:HTTP or SOCKS5 proxy for the connection' '--ssh-config:configuration of ssh (default: ~/.ssh/config)' '--quiet:print only errors, warnings and the report' '--json:print the report as JSON' '--yes:do not ask before the server is changed' '--help:display help for command') offers=() files="" ;;
    ' push') options=('--release:the bundle, or the folder of the bundles' '--update:update a server that is installed' '--yes:with --update: do not ask' '--retry:with --update: try a release again that was rolled back' '--proxies:proxies for a site with route.mode client, as for route import' '--restore:for a site with restore: restore the backup on this terminal' '--strict:with --proxies: fail at any problem instead of leaving entries out' '--identity:private key for the login' '--jump:jump host, as for ssh -J' '--ssh-proxy:HTTP or SOCKS5 proxy for the connection' '--ssh-config:configuration of ssh (default: ~/.ssh/config)' '--quiet:print only errors, warnings and the report' '--json:print the report as JSON' '--help:display help for command') offers=() files="" ;;
    ' site') options=('--help:display help for command') offers=('push:send site.yaml to a server that is installed, and apply it' 'help:display help for command') files="" ;;
    ' site push') options=('--site:path of the site' '--allow-route-password:allow a proxy password in route.url' '--yes:do not ask before the server is changed' '--json:with --yes: print the result as JSON' '--identity:private key for the login' '--jump:jump host, as for ssh -J' '--ssh-proxy:HTTP or SOCKS5 proxy for the connection' '--ssh-config:configuration of ssh (default: ~/.ssh/config)' '--help:display help for command') offers=() files="" ;;
    ' site help') options=() offers=('push:send site.yaml to a server that is installed, and apply it' 'help:display help for command') files="" ;;
    ' smoke') options=('--site:site of the server' '--address:address of the server (default: the DNS record of its host name)' '--json:print the results as JSON' '--junit:also write the results as JUnit XML' '--help:display help for command') offers=() files="" ;;
    ' probe') options=('--proxy:compare with this proxy (default: HTTPS_PROXY)' '--resolver:resolver with DNS over HTTPS' '--echo:service that returns the egress address' '--json:print the result as JSON' '--ca:also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' '--site:site whose providers are tested (default: site.yaml, if it exists)' '--help:display help for command') offers=('hub:send a request for hosted inference to a model hub' 'mirrors:test the mirrors of the site, or those of a preset') files="" ;;
    ' probe hub') options=('--url:URL before /models (default: https://router.huggingface.co/hf-inference)' '--inputs:input of the model' '--proxy:proxy if direct access fails (default: HTTPS_PROXY)' '--json:print the result as JSON' '--ca:also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' '--help:display help for command') offers=() files="" ;;
    ' probe mirrors') options=('--preset:mirrors of a preset instead' '--proxy:proxy if direct access fails (default: HTTPS_PROXY)' '--json:print the result as JSON' '--site:site whose mirrors are tested (default: site.yaml, if it exists)' '--ca:also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' '--help:display help for command') offers=() files="" ;;
    ' route') options=('--help:display help for command') offers=('show:show the proxy of your shells, without its password (default)' 'on:use a proxy in new shells of bash, zsh and fish' 'off:remove the proxy from the startup files of your shells' 'pac:print a PAC file for browsers and editors' 'proxychains:print settings of proxychains4 for programs that ignore proxy variables' 'import:import proxies from a file or a subscription' 'export:write the imported proxies as a configuration of mihomo or sing-box' 'help:display help for command') files="" ;;
    ' route show') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' route on') options=('--exempt:also reach this host, domain or network directly (repeatable)' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' route off') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' route pac') options=('--help:display help for command') offers=() files="" ;;
    ' route proxychains') options=('--output:write them to a file that only you can read' '--help:display help for command') offers=() files="" ;;
    ' route import') options=('--refresh:fetch the imported subscription again' '--user-agent:the client that the provider of a subscription sees' '--details:list every entry that is left out, with its line' '--strict:fail at any problem instead of leaving entries out' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' route export') options=('--format:program that reads the file' '--output:file that only you can read; - prints it' '--allow-lan:accept connections of other hosts if the source asks for it' '--help:display help for command') offers=() files="" ;;
    ' route help') options=() offers=('show:show the proxy of your shells, without its password (default)' 'on:use a proxy in new shells of bash, zsh and fish' 'off:remove the proxy from the startup files of your shells' 'pac:print a PAC file for browsers and editors' 'proxychains:print settings of proxychains4 for programs that ignore proxy variables' 'import:import proxies from a file or a subscription' 'export:write the imported proxies as a configuration of mihomo or sing-box' 'help:display help for command') files="" ;;
    ' editor') options=('--help:display help for command') offers=('configure:write the proxy into the user settings' 'check:test the vendor'\''s hosts through the proxy' 'remove:undo configure' 'help:display help for command') files="" ;;
    ' editor configure') options=('--editor:editor (default: the one that is found)' '--settings:settings.json of another editor' '--json:print the result as JSON' '--proxy:HTTP proxy, without a password (default: HTTPS_PROXY)' '--no-strict-ssl:do not verify certificates: for debugging only' '--help:display help for command') offers=() files="" ;;
    ' editor check') options=('--editor:editor (default: the one that is found)' '--settings:settings.json of another editor' '--json:print the result as JSON' '--host:also test this host; repeatable' '--help:display help for command') offers=() files="" ;;
    ' editor remove') options=('--editor:editor (default: the one that is found)' '--settings:settings.json of another editor' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' editor help') options=() offers=('configure:write the proxy into the user settings' 'check:test the vendor'\''s hosts through the proxy' 'remove:undo configure' 'help:display help for command') files="" ;;
    ' completion') options=('--help:display help for command') offers=('bash:' 'zsh:' 'fish:') files="" ;;
    ' manual') options=('--help:display help for command') offers=() files="" ;;
    ' help') options=() offers=('init:create site.yaml, and appliance.yaml for your own release' 'schema:print the JSON Schema of appliance.yaml or site.yaml, for editors' 'lock:pin images, files and models by digest in appliance.lock.yaml' 'build:build signed bundles from appliance.yaml' 'preview:run the stack of a bundle on this computer, with Docker' 'verify:verify that a bundle is complete and signed by a trusted key' 'inspect:print the contents of a bundle without verifying it' 'diff:compare two releases, or two lock files' 'explain:read another person'\''s user-data before you paste it' 'keygen:create a key pair that signs releases' 'sign:sign a bundle with another key, such as the recovery key' 'trust:change and show the keys that servers trust' 'channel:maintain the list of releases from which servers learn of updates' 'user-data:render the user-data that sets up a new server' 'page:write the web page that makes user-data in a browser' 'serve:serve a release over HTTP, for a LAN or an SSH tunnel' 'upload:upload a release to an S3 bucket or over SFTP, and check its URL' 'install:set up a server over SSH' 'push:send the bundle to a server that waits for it, or update a server' 'site:change the site of a server' 'smoke:test a running server from this machine' 'probe:test which route reaches the hosted providers' 'route:set the proxy of your shells, and import proxies' 'editor:proxy settings of code editors: configure, check, remove' 'completion:print a completion script for your shell' 'manual:print the manual page for `man landfall`' 'help:display help for command') files="" ;;
  esac
  case "$called $before" in
    ' init --release-url') offers=() files="" ;;
    ' init --ssh-key') offers=() files="yes" ;;
    ' init --user') offers=() files="" ;;
    ' init --ui-host') offers=() files="" ;;
    ' init --tls') offers=('acme:' 'acme-staging:' 'acme-ip:' 'custom:' 'internal:' 'off:') files="" ;;
    ' init --dns-provider') offers=() files="" ;;
    ' init --email') offers=() files="" ;;
    ' init --route') offers=() files="" ;;
    ' init --mirrors') offers=('china-debian:' 'china-ubuntu:') files="" ;;
    ' init --timezone') offers=() files="" ;;
    ' init --language') offers=('en:' 'zh:') files="" ;;
    ' init --provider') offers=('deepseek:' 'qwen:' 'zhipu:' 'moonshot:' 'siliconflow:' 'volcengine:' 'qianfan:' 'spark:' 'minimax:' 'hunyuan:' 'stepfun:' 'xiaomi:' 'openai:' 'anthropic:' 'gemini:' 'openrouter:' 'groq:' 'mistral:' 'xai:') files="" ;;
    ' init --component') offers=('chat:' 'lobe:') files="" ;;
    ' init --arch') offers=('amd64:' 'arm64:') files="" ;;
    ' lock --config') offers=() files="yes" ;;
    ' lock --update') offers=() files="" ;;
    ' lock --store') offers=() files="yes" ;;
    ' lock --mirror') offers=() files="" ;;
    ' lock --proxy') offers=() files="" ;;
    ' lock --ca') offers=() files="yes" ;;
    ' lock --concurrency') offers=() files="" ;;
    ' build --arch') offers=('amd64:' 'arm64:') files="" ;;
    ' build --config') offers=() files="yes" ;;
    ' build --output') offers=() files="yes" ;;
    ' build --key') offers=() files="yes" ;;
    ' build --without') offers=() files="" ;;
    ' build --max-part-size') offers=() files="" ;;
    ' build --reproduce') offers=() files="yes" ;;
    ' build --store') offers=() files="yes" ;;
    ' build --mirror') offers=() files="" ;;
    ' build --proxy') offers=() files="" ;;
    ' build --ca') offers=() files="yes" ;;
    ' build --concurrency') offers=() files="" ;;
    ' preview --site') offers=() files="yes" ;;
    ' preview --name') offers=() files="" ;;
    ' preview --port') offers=() files="" ;;
    ' preview --key') offers=() files="yes" ;;
    ' preview --recovery-key') offers=() files="yes" ;;
    ' verify --key') offers=() files="yes" ;;
    ' verify --recovery-key') offers=() files="yes" ;;
    ' verify --pinned') offers=() files="" ;;
    ' verify --arch') offers=('amd64:' 'arm64:') files="" ;;
    ' diff --key') offers=() files="yes" ;;
    ' diff --recovery-key') offers=() files="yes" ;;
    ' explain --release') offers=() files="yes" ;;
    ' explain --key') offers=() files="yes" ;;
    ' explain --recovery-key') offers=() files="yes" ;;
    ' keygen --name') offers=() files="" ;;
    ' keygen --output') offers=() files="yes" ;;
    ' sign --key') offers=() files="yes" ;;
    ' trust rotate --folder') offers=() files="yes" ;;
    ' trust rotate --product') offers=() files="" ;;
    ' trust rotate --key') offers=() files="yes" ;;
    ' trust rotate --release-key') offers=() files="yes" ;;
    ' trust rotate --recovery-key') offers=() files="yes" ;;
    ' trust rotate --revoke') offers=() files="yes" ;;
    ' trust rotate --floor') offers=() files="" ;;
    ' trust show --folder') offers=() files="yes" ;;
    ' trust show --product') offers=() files="" ;;
    ' channel add --channel') offers=() files="yes" ;;
    ' channel add --notes') offers=() files="yes" ;;
    ' channel add --security') offers=('none:' 'moderate:' 'critical:') files="" ;;
    ' channel withdraw --channel') offers=() files="yes" ;;
    ' channel withdraw --reason') offers=() files="" ;;
    ' channel remove --channel') offers=() files="yes" ;;
    ' channel sign --channel') offers=() files="yes" ;;
    ' channel sign --key') offers=() files="yes" ;;
    ' channel show --channel') offers=() files="yes" ;;
    ' user-data --site') offers=() files="yes" ;;
    ' user-data --release') offers=() files="yes" ;;
    ' user-data --part-size') offers=() files="" ;;
    ' user-data --key') offers=() files="yes" ;;
    ' user-data --recovery-key') offers=() files="yes" ;;
    ' user-data --provider') offers=('aws:' 'azure:' 'gcp:' 'digitalocean:' 'hetzner:' 'linode:' 'oracle:' 'alibaba:' 'tencent:' 'lighthouse:' 'swas:' 'huawei:' 'openstack:' 'ovh:' 'vsphere:') files="" ;;
    ' user-data --format') offers=('cloud-config:' 'multipart:' 'gzip:' 'shell:') files="" ;;
    ' user-data --output') offers=() files="yes" ;;
    ' user-data --proxy') offers=() files="" ;;
    ' page --output') offers=() files="yes" ;;
    ' serve --listen') offers=() files="" ;;
    ' upload --to') offers=() files="" ;;
    ' upload --endpoint') offers=() files="" ;;
    ' upload --region') offers=() files="" ;;
    ' upload --ssh-config') offers=() files="yes" ;;
    ' upload --public-url') offers=() files="" ;;
    ' upload --proxy') offers=() files="" ;;
    ' upload --ca') offers=() files="yes" ;;
    ' install --site') offers=() files="yes" ;;
    ' install --release') offers=() files="yes" ;;
    ' install --key') offers=() files="yes" ;;
    ' install --recovery-key') offers=() files="yes" ;;
    ' install --proxies') offers=() files="yes" ;;
    ' install --identity') offers=() files="yes" ;;
    ' install --jump') offers=() files="" ;;
    ' install --ssh-proxy') offers=() files="" ;;
    ' install --ssh-config') offers=() files="yes" ;;
    ' push --release') offers=() files="yes" ;;
    ' push --proxies') offers=() files="yes" ;;
    ' push --identity') offers=() files="yes" ;;
    ' push --jump') offers=() files="" ;;
    ' push --ssh-proxy') offers=() files="" ;;
    ' push --ssh-config') offers=() files="yes" ;;
    ' site push --site') offers=() files="yes" ;;
    ' site push --identity') offers=() files="yes" ;;
    ' site push --jump') offers=() files="" ;;
    ' site push --ssh-proxy') offers=() files="" ;;
    ' site push --ssh-config') offers=() files="yes" ;;
    ' smoke --site') offers=() files="yes" ;;
    ' smoke --address') offers=() files="" ;;
    ' smoke --junit') offers=() files="yes" ;;
    ' probe --proxy') offers=() files="" ;;
    ' probe --resolver') offers=() files="" ;;
    ' probe --echo') offers=() files="" ;;
    ' probe --ca') offers=() files="yes" ;;
    ' probe --site') offers=() files="yes" ;;
    ' probe hub --url') offers=() files="" ;;
    ' probe hub --inputs') offers=() files="" ;;
    ' probe hub --proxy') offers=() files="" ;;
    ' probe hub --ca') offers=() files="yes" ;;
    ' probe mirrors --preset') offers=('china-debian:' 'china-ubuntu:') files="" ;;
    ' probe mirrors --proxy') offers=() files="" ;;
    ' probe mirrors --site') offers=() files="yes" ;;
    ' probe mirrors --ca') offers=() files="yes" ;;
    ' route on --exempt') offers=() files="" ;;
    ' route proxychains --output') offers=() files="yes" ;;
    ' route import --user-agent') offers=() files="" ;;
    ' route export --format') offers=('mihomo:' 'sing-box:') files="" ;;
    ' route export --output') offers=() files="yes" ;;
    ' editor configure --editor') offers=('code:' 'code-insiders:' 'vscodium:' 'cursor:' 'windsurf:' 'trae:' 'code-server:' 'code-remote:' 'cursor-remote:') files="" ;;
    ' editor configure --settings') offers=() files="yes" ;;
    ' editor configure --proxy') offers=() files="" ;;
    ' editor check --editor') offers=('code:' 'code-insiders:' 'vscodium:' 'cursor:' 'windsurf:' 'trae:' 'code-server:' 'code-remote:' 'cursor-remote:') files="" ;;
    ' editor check --settings') offers=() files="yes" ;;
    ' editor check --host') offers=() files="" ;;
    ' editor remove --editor') offers=('code:' 'code-insiders:' 'vscodium:' 'cursor:' 'windsurf:' 'trae:' 'code-server:' 'code-remote:' 'cursor-remote:') files="" ;;
    ' editor remove --settings') offers=() files="yes" ;;
  esac
  case "$word" in
    -*) offers=("${options[@]}") files="" ;;
  esac
  COMPREPLY=($(compgen -P "$prefix" -W "${offers[*]%%:*}" -- "$word"))
  [ -n "$files" ] || compopt +o default 2>/dev/null
}
complete -o default -F _landfall landfall
