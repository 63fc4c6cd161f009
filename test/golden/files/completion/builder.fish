# Completion of landfall for fish. Written by: landfall completion fish
function __landfall_called
  set -l called ''
  for each in (commandline -opc)[2..-1]
    contains -- "$called $each" ' init' ' schema' ' lock' ' build' ' preview' ' verify' ' inspect' ' diff' ' explain' ' keygen' ' sign' ' trust' ' trust rotate' ' trust show' ' trust help' ' channel' ' channel add' ' channel withdraw' ' channel remove' ' channel sign' ' channel show' ' channel help' ' user-data' ' page' ' serve' ' upload' ' install' ' push' ' site' ' site push' ' site help' ' smoke' ' probe' ' probe hub' ' probe mirrors' ' route' ' route show' ' route on' ' route off' ' route pac' ' route proxychains' ' route import' ' route export' ' route help' ' editor' ' editor configure' ' editor check' ' editor remove' ' editor help' ' completion' ' manual' ' help'; or break
    set called "$called $each"
  end
  test "$called" = "$argv[1]"
end
complete -c landfall -n "__landfall_called ''" -f
complete -c landfall -n "__landfall_called ''" -f -a init -d 'create site.yaml, and appliance.yaml for your own release'
complete -c landfall -n "__landfall_called ''" -f -a schema -d 'print the JSON Schema of appliance.yaml or site.yaml, for editors'
complete -c landfall -n "__landfall_called ''" -f -a lock -d 'pin images, files and models by digest in appliance.lock.yaml'
complete -c landfall -n "__landfall_called ''" -f -a build -d 'build signed bundles from appliance.yaml'
complete -c landfall -n "__landfall_called ''" -f -a preview -d 'run the stack of a bundle on this computer, with Docker'
complete -c landfall -n "__landfall_called ''" -f -a verify -d 'verify that a bundle is complete and signed by a trusted key'
complete -c landfall -n "__landfall_called ''" -f -a inspect -d 'print the contents of a bundle without verifying it'
complete -c landfall -n "__landfall_called ''" -f -a diff -d 'compare two releases, or two lock files'
complete -c landfall -n "__landfall_called ''" -f -a explain -d 'read another person'\''s user-data before you paste it'
complete -c landfall -n "__landfall_called ''" -f -a keygen -d 'create a key pair that signs releases'
complete -c landfall -n "__landfall_called ''" -f -a sign -d 'sign a bundle with another key, such as the recovery key'
complete -c landfall -n "__landfall_called ''" -f -a trust -d 'change and show the keys that servers trust'
complete -c landfall -n "__landfall_called ''" -f -a channel -d 'maintain the list of releases from which servers learn of updates'
complete -c landfall -n "__landfall_called ''" -f -a user-data -d 'render the user-data that sets up a new server'
complete -c landfall -n "__landfall_called ''" -f -a page -d 'write the web page that makes user-data in a browser'
complete -c landfall -n "__landfall_called ''" -f -a serve -d 'serve a release over HTTP, for a LAN or an SSH tunnel'
complete -c landfall -n "__landfall_called ''" -f -a upload -d 'upload a release to an S3 bucket or over SFTP, and check its URL'
complete -c landfall -n "__landfall_called ''" -f -a install -d 'set up a server over SSH'
complete -c landfall -n "__landfall_called ''" -f -a push -d 'send the bundle to a server that waits for it, or update a server'
complete -c landfall -n "__landfall_called ''" -f -a site -d 'change the site of a server'
complete -c landfall -n "__landfall_called ''" -f -a smoke -d 'test a running server from this machine'
complete -c landfall -n "__landfall_called ''" -f -a probe -d 'test which route reaches the hosted providers'
complete -c landfall -n "__landfall_called ''" -f -a route -d 'set the proxy of your shells, and import proxies'
complete -c landfall -n "__landfall_called ''" -f -a editor -d 'proxy settings of code editors: configure, check, remove'
complete -c landfall -n "__landfall_called ''" -f -a completion -d 'print a completion script for your shell'
complete -c landfall -n "__landfall_called ''" -f -a manual -d 'print the manual page for `man landfall`'
complete -c landfall -n "__landfall_called ''" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ''" -l version -d 'output the version number'
complete -c landfall -n "__landfall_called ''" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' init'" -F
complete -c landfall -n "__landfall_called ' init'" -l own-release -d 'build your own release instead of using the published one'
complete -c landfall -n "__landfall_called ' init'" -l release-url -d 'URL of the folder that will contain your own release, or push' -r -f -a ''
complete -c landfall -n "__landfall_called ' init'" -l ssh-key -d 'SSH public key that may log in, as a file or a line; repeatable' -r -F
complete -c landfall -n "__landfall_called ' init'" -l user -d 'login user (default: ops)' -r -f -a ''
complete -c landfall -n "__landfall_called ' init'" -l ui-host -d 'host name of the chat UI' -r -f -a ''
complete -c landfall -n "__landfall_called ' init'" -l tls -d 'source of the TLS certificate' -r -f -a 'acme acme-staging acme-ip custom internal off'
complete -c landfall -n "__landfall_called ' init'" -l dns-provider -d 'validate host names by DNS records instead of port 80, such as alidns' -r -f -a ''
complete -c landfall -n "__landfall_called ' init'" -l email -d 'email address for the certificate authority' -r -f -a ''
complete -c landfall -n "__landfall_called ' init'" -l accept-terms -d 'accept the certificate authority'\''s terms of service'
complete -c landfall -n "__landfall_called ' init'" -l route -d 'URL of an HTTP or SOCKS5 proxy that the server uses, or client' -r -f -a ''
complete -c landfall -n "__landfall_called ' init'" -l mirrors -d 'public mirrors of mainland China' -r -f -a 'china-debian china-ubuntu'
complete -c landfall -n "__landfall_called ' init'" -l timezone -d 'time zone of the server, such as Asia/Shanghai' -r -f -a ''
complete -c landfall -n "__landfall_called ' init'" -l language -d 'language of the questions (default: that of the locale)' -r -f -a 'en zh'
complete -c landfall -n "__landfall_called ' init'" -l provider -d 'hosted provider for the relay; repeatable' -r -f -a 'deepseek qwen zhipu moonshot siliconflow volcengine qianfan spark minimax hunyuan stepfun xiaomi openai anthropic gemini openrouter groq mistral xai'
complete -c landfall -n "__landfall_called ' init'" -l component -d 'front-end besides Open WebUI; repeatable' -r -f -a 'chat lobe'
complete -c landfall -n "__landfall_called ' init'" -l memory -d 'memory of the server: an own release gets the models that fit (default: any)'
complete -c landfall -n "__landfall_called ' init'" -l arch -d 'processor of the server, for an own release; repeatable (amd64 without it)' -r -f -a 'amd64 arm64'
complete -c landfall -n "__landfall_called ' init'" -l no-local-models -d 'use hosted models only'
complete -c landfall -n "__landfall_called ' init'" -l yes -d 'do not prompt; use defaults for missing flags'
complete -c landfall -n "__landfall_called ' init'" -l force -d 'overwrite existing files'
complete -c landfall -n "__landfall_called ' init'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' init'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' schema'" -f
complete -c landfall -n "__landfall_called ' schema'" -f -a appliance -d ''
complete -c landfall -n "__landfall_called ' schema'" -f -a site -d ''
complete -c landfall -n "__landfall_called ' schema'" -l write -d 'for maintainers: update the checked-in schemas and tables'
complete -c landfall -n "__landfall_called ' schema'" -l check -d 'for maintainers: fail if a checked-in copy is out of date'
complete -c landfall -n "__landfall_called ' schema'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' lock'" -f
complete -c landfall -n "__landfall_called ' lock'" -l config -d 'path of the appliance' -r -F
complete -c landfall -n "__landfall_called ' lock'" -l check -d 'change nothing; fail if the lock file does not match the appliance'
complete -c landfall -n "__landfall_called ' lock'" -l update -d 'resolve this component, file or model again (default: all)' -r -f -a ''
complete -c landfall -n "__landfall_called ' lock'" -l store -d 'folder of the blob store (default: the user cache folder)' -r -F
complete -c landfall -n "__landfall_called ' lock'" -l mirror -d 'try this mirror of a registry or of github.com first; repeatable (default: the mirrors of the site.yaml beside the appliance)' -r -f -a ''
complete -c landfall -n "__landfall_called ' lock'" -l proxy -d 'use this proxy for all connections (default: HTTPS_PROXY)' -r -f -a ''
complete -c landfall -n "__landfall_called ' lock'" -l ca -d 'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' -r -F
complete -c landfall -n "__landfall_called ' lock'" -l concurrency -d 'number of parallel downloads (default: 12)' -r -f -a ''
complete -c landfall -n "__landfall_called ' lock'" -l quiet -d 'print only errors'
complete -c landfall -n "__landfall_called ' lock'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' lock'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' build'" -f
complete -c landfall -n "__landfall_called ' build'" -l full -d 'include all images and models in the bundle'
complete -c landfall -n "__landfall_called ' build'" -l thin -d 'reference images by digest; the server pulls them (default)'
complete -c landfall -n "__landfall_called ' build'" -l arch -d 'build only for this architecture; repeatable' -r -f -a 'amd64 arm64'
complete -c landfall -n "__landfall_called ' build'" -l config -d 'path of the appliance' -r -F
complete -c landfall -n "__landfall_called ' build'" -l output -d 'output folder' -r -F
complete -c landfall -n "__landfall_called ' build'" -l key -d 'private key: a file, env:NAME, or - for standard input (default: release.key of `landfall keygen`)' -r -F
complete -c landfall -n "__landfall_called ' build'" -l frozen -d 'do not change the lock file; fail if it is outdated or incomplete'
complete -c landfall -n "__landfall_called ' build'" -l without -d 'leave out an optional component or a model; repeatable' -r -f -a ''
complete -c landfall -n "__landfall_called ' build'" -l max-part-size -d 'write a larger bundle in parts of at most this size, such as 1.9GB' -r -f -a ''
complete -c landfall -n "__landfall_called ' build'" -l public -d 'fail if the license of anything in the bundle is not known'
complete -c landfall -n "__landfall_called ' build'" -l reproduce -d 'compare with a published release.json, a file or URL, instead of building' -r -F
complete -c landfall -n "__landfall_called ' build'" -l store -d 'folder of the blob store (default: the user cache folder)' -r -F
complete -c landfall -n "__landfall_called ' build'" -l mirror -d 'try this mirror of a registry or of github.com first; repeatable (default: the mirrors of the site.yaml beside the appliance)' -r -f -a ''
complete -c landfall -n "__landfall_called ' build'" -l proxy -d 'use this proxy for all connections (default: HTTPS_PROXY)' -r -f -a ''
complete -c landfall -n "__landfall_called ' build'" -l ca -d 'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' -r -F
complete -c landfall -n "__landfall_called ' build'" -l concurrency -d 'number of parallel downloads (default: 12)' -r -f -a ''
complete -c landfall -n "__landfall_called ' build'" -l quiet -d 'print only errors'
complete -c landfall -n "__landfall_called ' build'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' build'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' preview'" -F
complete -c landfall -n "__landfall_called ' preview'" -l site -d 'site with the components and providers (default: no options)' -r -F
complete -c landfall -n "__landfall_called ' preview'" -l name -d 'name of the preview (default: from the current folder)' -r -f -a ''
complete -c landfall -n "__landfall_called ' preview'" -l port -d 'port of the chat UI (default: 8443, or a free one)' -r -f -a ''
complete -c landfall -n "__landfall_called ' preview'" -l key -d 'trusted public key; repeatable' -r -F
complete -c landfall -n "__landfall_called ' preview'" -l recovery-key -d 'trusted recovery key' -r -F
complete -c landfall -n "__landfall_called ' preview'" -l accept-new-keys -d 'trust the keys that a release announces, and print both lists'
complete -c landfall -n "__landfall_called ' preview'" -l no-open -d 'do not open the browser'
complete -c landfall -n "__landfall_called ' preview'" -l down -d 'remove the preview'
complete -c landfall -n "__landfall_called ' preview'" -l keep-data -d 'with --down: keep the volumes with chats and models'
complete -c landfall -n "__landfall_called ' preview'" -l quiet -d 'print only errors'
complete -c landfall -n "__landfall_called ' preview'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' preview'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' verify'" -F
complete -c landfall -n "__landfall_called ' verify'" -l key -d 'trusted public key; repeatable' -r -F
complete -c landfall -n "__landfall_called ' verify'" -l recovery-key -d 'trusted recovery key' -r -F
complete -c landfall -n "__landfall_called ' verify'" -l accept-new-keys -d 'trust the keys that a release announces, and print both lists'
complete -c landfall -n "__landfall_called ' verify'" -l pinned -d 'required SHA-256 of release.json' -r -f -a ''
complete -c landfall -n "__landfall_called ' verify'" -l arch -d 'required architecture' -r -f -a 'amd64 arm64'
complete -c landfall -n "__landfall_called ' verify'" -l quiet -d 'print only errors'
complete -c landfall -n "__landfall_called ' verify'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' verify'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' inspect'" -F
complete -c landfall -n "__landfall_called ' inspect'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' inspect'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' diff'" -F
complete -c landfall -n "__landfall_called ' diff'" -l key -d 'trusted public key, to verify both releases; repeatable' -r -F
complete -c landfall -n "__landfall_called ' diff'" -l recovery-key -d 'trusted recovery key' -r -F
complete -c landfall -n "__landfall_called ' diff'" -l markdown -d 'print Markdown for pull requests and release notes'
complete -c landfall -n "__landfall_called ' diff'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' diff'" -l exit-code -d 'exit with 1 if there are differences, and with 0 if not'
complete -c landfall -n "__landfall_called ' diff'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' explain'" -F
complete -c landfall -n "__landfall_called ' explain'" -l release -d 'bundles of its release, their folder, or their release.json files, to compare it with' -r -F
complete -c landfall -n "__landfall_called ' explain'" -l key -d 'trusted public key; repeatable' -r -F
complete -c landfall -n "__landfall_called ' explain'" -l recovery-key -d 'trusted recovery key' -r -F
complete -c landfall -n "__landfall_called ' explain'" -l accept-new-keys -d 'trust the keys that a release announces, and print both lists'
complete -c landfall -n "__landfall_called ' explain'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' explain'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' keygen'" -f
complete -c landfall -n "__landfall_called ' keygen'" -l name -d 'name of the key pair in the key folder' -r -f -a ''
complete -c landfall -n "__landfall_called ' keygen'" -l output -d 'write <path>.key and <path>.pub instead of using the key folder' -r -F
complete -c landfall -n "__landfall_called ' keygen'" -l passphrase -d 'encrypt the private key with a passphrase'
complete -c landfall -n "__landfall_called ' keygen'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' keygen'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' sign'" -F
complete -c landfall -n "__landfall_called ' sign'" -l key -d 'private key: a file, env:NAME, or - for standard input' -r -F
complete -c landfall -n "__landfall_called ' sign'" -l quiet -d 'print only errors'
complete -c landfall -n "__landfall_called ' sign'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' sign'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' trust'" -f
complete -c landfall -n "__landfall_called ' trust'" -f -a rotate -d 'replace the trusted keys; needs the recovery key'
complete -c landfall -n "__landfall_called ' trust'" -f -a show -d 'show the keys after the last rotation'
complete -c landfall -n "__landfall_called ' trust'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' trust'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' trust rotate'" -f
complete -c landfall -n "__landfall_called ' trust rotate'" -l folder -d 'folder with trust/, the channels and the releases' -r -F
complete -c landfall -n "__landfall_called ' trust rotate'" -l product -d 'product of the appliance' -r -f -a ''
complete -c landfall -n "__landfall_called ' trust rotate'" -l json -d 'print the keys as JSON'
complete -c landfall -n "__landfall_called ' trust rotate'" -l key -d 'private recovery key: a file, env:NAME, or -' -r -F
complete -c landfall -n "__landfall_called ' trust rotate'" -l release-key -d 'public release key from now on; repeatable' -r -F
complete -c landfall -n "__landfall_called ' trust rotate'" -l recovery-key -d 'public recovery key from now on (default: the same)' -r -F
complete -c landfall -n "__landfall_called ' trust rotate'" -l revoke -d 'public key that is never trusted again; repeatable' -r -F
complete -c landfall -n "__landfall_called ' trust rotate'" -l floor -d 'the oldest release that servers install from now on' -r -f -a ''
complete -c landfall -n "__landfall_called ' trust rotate'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' trust show'" -f
complete -c landfall -n "__landfall_called ' trust show'" -l folder -d 'folder with trust/, the channels and the releases' -r -F
complete -c landfall -n "__landfall_called ' trust show'" -l product -d 'product of the appliance' -r -f -a ''
complete -c landfall -n "__landfall_called ' trust show'" -l json -d 'print the keys as JSON'
complete -c landfall -n "__landfall_called ' trust show'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' trust help'" -f
complete -c landfall -n "__landfall_called ' trust help'" -f -a rotate -d 'replace the trusted keys; needs the recovery key'
complete -c landfall -n "__landfall_called ' trust help'" -f -a show -d 'show the keys after the last rotation'
complete -c landfall -n "__landfall_called ' trust help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' channel'" -f
complete -c landfall -n "__landfall_called ' channel'" -f -a add -d 'add the bundles of a release folder'
complete -c landfall -n "__landfall_called ' channel'" -f -a withdraw -d 'offer a release to no server, and tell those that run it'
complete -c landfall -n "__landfall_called ' channel'" -f -a remove -d 'drop an old release, to make room'
complete -c landfall -n "__landfall_called ' channel'" -f -a sign -d 'sign the channel, with the next serial, for 60 days'
complete -c landfall -n "__landfall_called ' channel'" -f -a show -d 'show the releases of the channel'
complete -c landfall -n "__landfall_called ' channel'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' channel'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' channel add'" -F
complete -c landfall -n "__landfall_called ' channel add'" -l channel -d 'folder of the channel, named after it' -r -F
complete -c landfall -n "__landfall_called ' channel add'" -l json -d 'print the channel as JSON'
complete -c landfall -n "__landfall_called ' channel add'" -l notes -d 'text for administrators, at most 4 kB' -r -F
complete -c landfall -n "__landfall_called ' channel add'" -l security -d 'the most severe security problem that it solves' -r -f -a 'none moderate critical'
complete -c landfall -n "__landfall_called ' channel add'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' channel withdraw'" -f
complete -c landfall -n "__landfall_called ' channel withdraw'" -l channel -d 'folder of the channel, named after it' -r -F
complete -c landfall -n "__landfall_called ' channel withdraw'" -l json -d 'print the channel as JSON'
complete -c landfall -n "__landfall_called ' channel withdraw'" -l reason -d 'why, for their administrators' -r -f -a ''
complete -c landfall -n "__landfall_called ' channel withdraw'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' channel remove'" -f
complete -c landfall -n "__landfall_called ' channel remove'" -l channel -d 'folder of the channel, named after it' -r -F
complete -c landfall -n "__landfall_called ' channel remove'" -l json -d 'print the channel as JSON'
complete -c landfall -n "__landfall_called ' channel remove'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' channel sign'" -f
complete -c landfall -n "__landfall_called ' channel sign'" -l channel -d 'folder of the channel, named after it' -r -F
complete -c landfall -n "__landfall_called ' channel sign'" -l json -d 'print the channel as JSON'
complete -c landfall -n "__landfall_called ' channel sign'" -l key -d 'private release key: a file, env:NAME, or -' -r -F
complete -c landfall -n "__landfall_called ' channel sign'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' channel show'" -f
complete -c landfall -n "__landfall_called ' channel show'" -l channel -d 'folder of the channel, named after it' -r -F
complete -c landfall -n "__landfall_called ' channel show'" -l json -d 'print the channel as JSON'
complete -c landfall -n "__landfall_called ' channel show'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' channel help'" -f
complete -c landfall -n "__landfall_called ' channel help'" -f -a add -d 'add the bundles of a release folder'
complete -c landfall -n "__landfall_called ' channel help'" -f -a withdraw -d 'offer a release to no server, and tell those that run it'
complete -c landfall -n "__landfall_called ' channel help'" -f -a remove -d 'drop an old release, to make room'
complete -c landfall -n "__landfall_called ' channel help'" -f -a sign -d 'sign the channel, with the next serial, for 60 days'
complete -c landfall -n "__landfall_called ' channel help'" -f -a show -d 'show the releases of the channel'
complete -c landfall -n "__landfall_called ' channel help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' user-data'" -F
complete -c landfall -n "__landfall_called ' user-data'" -l site -d 'path of the site' -r -F
complete -c landfall -n "__landfall_called ' user-data'" -l release -d 'bundles of one release, their folder, or their release.json files (default: the release of the package)' -r -F
complete -c landfall -n "__landfall_called ' user-data'" -l part-size -d 'size of the parts, if release.json files are given for a bundle in parts' -r -f -a ''
complete -c landfall -n "__landfall_called ' user-data'" -l key -d 'trusted public key; repeatable' -r -F
complete -c landfall -n "__landfall_called ' user-data'" -l recovery-key -d 'trusted recovery key' -r -F
complete -c landfall -n "__landfall_called ' user-data'" -l accept-new-keys -d 'trust the keys that a release announces, and print both lists'
complete -c landfall -n "__landfall_called ' user-data'" -l provider -d 'check the limits of this provider' -r -f -a 'aws azure gcp digitalocean hetzner linode oracle alibaba tencent lighthouse swas huawei openstack ovh vsphere'
complete -c landfall -n "__landfall_called ' user-data'" -l format -d 'format of the user-data, or a shell script that does the same (default: cloud-config, or what the provider has)' -r -f -a 'cloud-config multipart gzip shell'
complete -c landfall -n "__landfall_called ' user-data'" -l output -d 'output file; - for standard output (default: user-data.yaml, or user-data.sh for a script)' -r -F
complete -c landfall -n "__landfall_called ' user-data'" -l allow-route-password -d 'allow a proxy password in route.url'
complete -c landfall -n "__landfall_called ' user-data'" -l check-urls -d 'check that the URLs of the site serve the release'
complete -c landfall -n "__landfall_called ' user-data'" -l proxy -d 'use this proxy for downloads and --check-urls (default: HTTPS_PROXY)' -r -f -a ''
complete -c landfall -n "__landfall_called ' user-data'" -l quiet -d 'print only errors and warnings'
complete -c landfall -n "__landfall_called ' user-data'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' user-data'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' page'" -f
complete -c landfall -n "__landfall_called ' page'" -l output -d 'output file; - for standard output' -r -F
complete -c landfall -n "__landfall_called ' page'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' serve'" -F
complete -c landfall -n "__landfall_called ' serve'" -l listen -d 'address and port; port 0 selects a free one' -r -f -a ''
complete -c landfall -n "__landfall_called ' serve'" -l quiet -d 'print no downloads'
complete -c landfall -n "__landfall_called ' serve'" -l json -d 'print the URLs and files as JSON, once the server is ready'
complete -c landfall -n "__landfall_called ' serve'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' upload'" -F
complete -c landfall -n "__landfall_called ' upload'" -l to -d 's3://bucket/folder, the https URL of a bucket, or sftp://user@host/folder' -r -f -a ''
complete -c landfall -n "__landfall_called ' upload'" -l endpoint -d 'S3 endpoint (default: AWS_ENDPOINT_URL_S3, or AWS)' -r -f -a ''
complete -c landfall -n "__landfall_called ' upload'" -l region -d 'region (default: that of the endpoint, AWS_REGION, or us-east-1)' -r -f -a ''
complete -c landfall -n "__landfall_called ' upload'" -l virtual-host -d 'put the bucket into the host name (default: what the cloud of the endpoint needs)'
complete -c landfall -n "__landfall_called ' upload'" -l ssh-config -d 'configuration file of ssh (default: ~/.ssh/config)' -r -F
complete -c landfall -n "__landfall_called ' upload'" -l public-url -d 'URL of the folder for servers; it is checked after the upload' -r -f -a ''
complete -c landfall -n "__landfall_called ' upload'" -l proxy -d 'use this proxy for HTTP (default: HTTPS_PROXY)' -r -f -a ''
complete -c landfall -n "__landfall_called ' upload'" -l ca -d 'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' -r -F
complete -c landfall -n "__landfall_called ' upload'" -l quiet -d 'print only errors'
complete -c landfall -n "__landfall_called ' upload'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' upload'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' install'" -f
complete -c landfall -n "__landfall_called ' install'" -l site -d 'path of the site' -r -F
complete -c landfall -n "__landfall_called ' install'" -l release -d 'bundles of one release, or their folder' -r -F
complete -c landfall -n "__landfall_called ' install'" -l key -d 'trusted public key; repeatable' -r -F
complete -c landfall -n "__landfall_called ' install'" -l recovery-key -d 'trusted recovery key' -r -F
complete -c landfall -n "__landfall_called ' install'" -l accept-new-keys -d 'trust the keys that a release announces, and print both lists'
complete -c landfall -n "__landfall_called ' install'" -l allow-route-password -d 'allow a proxy password in route.url'
complete -c landfall -n "__landfall_called ' install'" -l proxies -d 'proxies for a site with route.mode client, as for route import' -r -F
complete -c landfall -n "__landfall_called ' install'" -l restore -d 'for a site with restore: restore the backup on this terminal'
complete -c landfall -n "__landfall_called ' install'" -l strict -d 'with --proxies: fail at any problem instead of leaving entries out'
complete -c landfall -n "__landfall_called ' install'" -l identity -d 'private key for the login' -r -F
complete -c landfall -n "__landfall_called ' install'" -l jump -d 'jump host, as for ssh -J' -r -f -a ''
complete -c landfall -n "__landfall_called ' install'" -l ssh-proxy -d 'HTTP or SOCKS5 proxy for the connection' -r -f -a ''
complete -c landfall -n "__landfall_called ' install'" -l ssh-config -d 'configuration of ssh (default: ~/.ssh/config)' -r -F
complete -c landfall -n "__landfall_called ' install'" -l quiet -d 'print only errors, warnings and the report'
complete -c landfall -n "__landfall_called ' install'" -l json -d 'print the report as JSON'
complete -c landfall -n "__landfall_called ' install'" -l yes -d 'do not ask before the server is changed'
complete -c landfall -n "__landfall_called ' install'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' push'" -f
complete -c landfall -n "__landfall_called ' push'" -l release -d 'the bundle, or the folder of the bundles' -r -F
complete -c landfall -n "__landfall_called ' push'" -l update -d 'update a server that is installed'
complete -c landfall -n "__landfall_called ' push'" -l yes -d 'with --update: do not ask'
complete -c landfall -n "__landfall_called ' push'" -l retry -d 'with --update: try a release again that was rolled back'
complete -c landfall -n "__landfall_called ' push'" -l proxies -d 'proxies for a site with route.mode client, as for route import' -r -F
complete -c landfall -n "__landfall_called ' push'" -l restore -d 'for a site with restore: restore the backup on this terminal'
complete -c landfall -n "__landfall_called ' push'" -l strict -d 'with --proxies: fail at any problem instead of leaving entries out'
complete -c landfall -n "__landfall_called ' push'" -l identity -d 'private key for the login' -r -F
complete -c landfall -n "__landfall_called ' push'" -l jump -d 'jump host, as for ssh -J' -r -f -a ''
complete -c landfall -n "__landfall_called ' push'" -l ssh-proxy -d 'HTTP or SOCKS5 proxy for the connection' -r -f -a ''
complete -c landfall -n "__landfall_called ' push'" -l ssh-config -d 'configuration of ssh (default: ~/.ssh/config)' -r -F
complete -c landfall -n "__landfall_called ' push'" -l quiet -d 'print only errors, warnings and the report'
complete -c landfall -n "__landfall_called ' push'" -l json -d 'print the report as JSON'
complete -c landfall -n "__landfall_called ' push'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site'" -f
complete -c landfall -n "__landfall_called ' site'" -f -a push -d 'send site.yaml to a server that is installed, and apply it'
complete -c landfall -n "__landfall_called ' site'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site push'" -f
complete -c landfall -n "__landfall_called ' site push'" -l site -d 'path of the site' -r -F
complete -c landfall -n "__landfall_called ' site push'" -l allow-route-password -d 'allow a proxy password in route.url'
complete -c landfall -n "__landfall_called ' site push'" -l yes -d 'do not ask before the server is changed'
complete -c landfall -n "__landfall_called ' site push'" -l json -d 'with --yes: print the result as JSON'
complete -c landfall -n "__landfall_called ' site push'" -l identity -d 'private key for the login' -r -F
complete -c landfall -n "__landfall_called ' site push'" -l jump -d 'jump host, as for ssh -J' -r -f -a ''
complete -c landfall -n "__landfall_called ' site push'" -l ssh-proxy -d 'HTTP or SOCKS5 proxy for the connection' -r -f -a ''
complete -c landfall -n "__landfall_called ' site push'" -l ssh-config -d 'configuration of ssh (default: ~/.ssh/config)' -r -F
complete -c landfall -n "__landfall_called ' site push'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site help'" -f
complete -c landfall -n "__landfall_called ' site help'" -f -a push -d 'send site.yaml to a server that is installed, and apply it'
complete -c landfall -n "__landfall_called ' site help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' smoke'" -f
complete -c landfall -n "__landfall_called ' smoke'" -l site -d 'site of the server' -r -F
complete -c landfall -n "__landfall_called ' smoke'" -l address -d 'address of the server (default: the DNS record of its host name)' -r -f -a ''
complete -c landfall -n "__landfall_called ' smoke'" -l json -d 'print the results as JSON'
complete -c landfall -n "__landfall_called ' smoke'" -l junit -d 'also write the results as JUnit XML' -r -F
complete -c landfall -n "__landfall_called ' smoke'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' probe'" -f
complete -c landfall -n "__landfall_called ' probe'" -f -a hub -d 'send a request for hosted inference to a model hub'
complete -c landfall -n "__landfall_called ' probe'" -f -a mirrors -d 'test the mirrors of the site, or those of a preset'
complete -c landfall -n "__landfall_called ' probe'" -l proxy -d 'compare with this proxy (default: HTTPS_PROXY)' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe'" -l resolver -d 'resolver with DNS over HTTPS' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe'" -l echo -d 'service that returns the egress address' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' probe'" -l ca -d 'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' -r -F
complete -c landfall -n "__landfall_called ' probe'" -l site -d 'site whose providers are tested (default: site.yaml, if it exists)' -r -F
complete -c landfall -n "__landfall_called ' probe'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' probe hub'" -f
complete -c landfall -n "__landfall_called ' probe hub'" -l url -d 'URL before /models (default: https://router.huggingface.co/hf-inference)' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe hub'" -l inputs -d 'input of the model' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe hub'" -l proxy -d 'proxy if direct access fails (default: HTTPS_PROXY)' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe hub'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' probe hub'" -l ca -d 'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' -r -F
complete -c landfall -n "__landfall_called ' probe hub'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' probe mirrors'" -f
complete -c landfall -n "__landfall_called ' probe mirrors'" -l preset -d 'mirrors of a preset instead' -r -f -a 'china-debian china-ubuntu'
complete -c landfall -n "__landfall_called ' probe mirrors'" -l proxy -d 'proxy if direct access fails (default: HTTPS_PROXY)' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe mirrors'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' probe mirrors'" -l site -d 'site whose mirrors are tested (default: site.yaml, if it exists)' -r -F
complete -c landfall -n "__landfall_called ' probe mirrors'" -l ca -d 'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)' -r -F
complete -c landfall -n "__landfall_called ' probe mirrors'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route'" -f
complete -c landfall -n "__landfall_called ' route'" -f -a show -d 'show the proxy of your shells, without its password (default)'
complete -c landfall -n "__landfall_called ' route'" -f -a on -d 'use a proxy in new shells of bash, zsh and fish'
complete -c landfall -n "__landfall_called ' route'" -f -a off -d 'remove the proxy from the startup files of your shells'
complete -c landfall -n "__landfall_called ' route'" -f -a pac -d 'print a PAC file for browsers and editors'
complete -c landfall -n "__landfall_called ' route'" -f -a proxychains -d 'print settings of proxychains4 for programs that ignore proxy variables'
complete -c landfall -n "__landfall_called ' route'" -f -a import -d 'import proxies from a file or a subscription'
complete -c landfall -n "__landfall_called ' route'" -f -a export -d 'write the imported proxies as a configuration of mihomo or sing-box'
complete -c landfall -n "__landfall_called ' route'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route show'" -f
complete -c landfall -n "__landfall_called ' route show'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' route show'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route on'" -f
complete -c landfall -n "__landfall_called ' route on'" -l exempt -d 'also reach this host, domain or network directly (repeatable)' -r -f -a ''
complete -c landfall -n "__landfall_called ' route on'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' route on'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route off'" -f
complete -c landfall -n "__landfall_called ' route off'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' route off'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route pac'" -f
complete -c landfall -n "__landfall_called ' route pac'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route proxychains'" -f
complete -c landfall -n "__landfall_called ' route proxychains'" -l output -d 'write them to a file that only you can read' -r -F
complete -c landfall -n "__landfall_called ' route proxychains'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route import'" -F
complete -c landfall -n "__landfall_called ' route import'" -l refresh -d 'fetch the imported subscription again'
complete -c landfall -n "__landfall_called ' route import'" -l user-agent -d 'the client that the provider of a subscription sees' -r -f -a ''
complete -c landfall -n "__landfall_called ' route import'" -l details -d 'list every entry that is left out, with its line'
complete -c landfall -n "__landfall_called ' route import'" -l strict -d 'fail at any problem instead of leaving entries out'
complete -c landfall -n "__landfall_called ' route import'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' route import'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route export'" -f
complete -c landfall -n "__landfall_called ' route export'" -l format -d 'program that reads the file' -r -f -a 'mihomo sing-box'
complete -c landfall -n "__landfall_called ' route export'" -l output -d 'file that only you can read; - prints it' -r -F
complete -c landfall -n "__landfall_called ' route export'" -l allow-lan -d 'accept connections of other hosts if the source asks for it'
complete -c landfall -n "__landfall_called ' route export'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route help'" -f
complete -c landfall -n "__landfall_called ' route help'" -f -a show -d 'show the proxy of your shells, without its password (default)'
complete -c landfall -n "__landfall_called ' route help'" -f -a on -d 'use a proxy in new shells of bash, zsh and fish'
complete -c landfall -n "__landfall_called ' route help'" -f -a off -d 'remove the proxy from the startup files of your shells'
complete -c landfall -n "__landfall_called ' route help'" -f -a pac -d 'print a PAC file for browsers and editors'
complete -c landfall -n "__landfall_called ' route help'" -f -a proxychains -d 'print settings of proxychains4 for programs that ignore proxy variables'
complete -c landfall -n "__landfall_called ' route help'" -f -a import -d 'import proxies from a file or a subscription'
complete -c landfall -n "__landfall_called ' route help'" -f -a export -d 'write the imported proxies as a configuration of mihomo or sing-box'
complete -c landfall -n "__landfall_called ' route help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' editor'" -f
complete -c landfall -n "__landfall_called ' editor'" -f -a configure -d 'write the proxy into the user settings'
complete -c landfall -n "__landfall_called ' editor'" -f -a check -d 'test the vendor'\''s hosts through the proxy'
complete -c landfall -n "__landfall_called ' editor'" -f -a remove -d 'undo configure'
complete -c landfall -n "__landfall_called ' editor'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' editor'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' editor configure'" -f
complete -c landfall -n "__landfall_called ' editor configure'" -l editor -d 'editor (default: the one that is found)' -r -f -a 'code code-insiders vscodium cursor windsurf trae code-server code-remote cursor-remote'
complete -c landfall -n "__landfall_called ' editor configure'" -l settings -d 'settings.json of another editor' -r -F
complete -c landfall -n "__landfall_called ' editor configure'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' editor configure'" -l proxy -d 'HTTP proxy, without a password (default: HTTPS_PROXY)' -r -f -a ''
complete -c landfall -n "__landfall_called ' editor configure'" -l no-strict-ssl -d 'do not verify certificates: for debugging only'
complete -c landfall -n "__landfall_called ' editor configure'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' editor check'" -f
complete -c landfall -n "__landfall_called ' editor check'" -l editor -d 'editor (default: the one that is found)' -r -f -a 'code code-insiders vscodium cursor windsurf trae code-server code-remote cursor-remote'
complete -c landfall -n "__landfall_called ' editor check'" -l settings -d 'settings.json of another editor' -r -F
complete -c landfall -n "__landfall_called ' editor check'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' editor check'" -l host -d 'also test this host; repeatable' -r -f -a ''
complete -c landfall -n "__landfall_called ' editor check'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' editor remove'" -f
complete -c landfall -n "__landfall_called ' editor remove'" -l editor -d 'editor (default: the one that is found)' -r -f -a 'code code-insiders vscodium cursor windsurf trae code-server code-remote cursor-remote'
complete -c landfall -n "__landfall_called ' editor remove'" -l settings -d 'settings.json of another editor' -r -F
complete -c landfall -n "__landfall_called ' editor remove'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' editor remove'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' editor help'" -f
complete -c landfall -n "__landfall_called ' editor help'" -f -a configure -d 'write the proxy into the user settings'
complete -c landfall -n "__landfall_called ' editor help'" -f -a check -d 'test the vendor'\''s hosts through the proxy'
complete -c landfall -n "__landfall_called ' editor help'" -f -a remove -d 'undo configure'
complete -c landfall -n "__landfall_called ' editor help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' completion'" -f
complete -c landfall -n "__landfall_called ' completion'" -f -a bash -d ''
complete -c landfall -n "__landfall_called ' completion'" -f -a zsh -d ''
complete -c landfall -n "__landfall_called ' completion'" -f -a fish -d ''
complete -c landfall -n "__landfall_called ' completion'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' manual'" -f
complete -c landfall -n "__landfall_called ' manual'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' help'" -f
complete -c landfall -n "__landfall_called ' help'" -f -a init -d 'create site.yaml, and appliance.yaml for your own release'
complete -c landfall -n "__landfall_called ' help'" -f -a schema -d 'print the JSON Schema of appliance.yaml or site.yaml, for editors'
complete -c landfall -n "__landfall_called ' help'" -f -a lock -d 'pin images, files and models by digest in appliance.lock.yaml'
complete -c landfall -n "__landfall_called ' help'" -f -a build -d 'build signed bundles from appliance.yaml'
complete -c landfall -n "__landfall_called ' help'" -f -a preview -d 'run the stack of a bundle on this computer, with Docker'
complete -c landfall -n "__landfall_called ' help'" -f -a verify -d 'verify that a bundle is complete and signed by a trusted key'
complete -c landfall -n "__landfall_called ' help'" -f -a inspect -d 'print the contents of a bundle without verifying it'
complete -c landfall -n "__landfall_called ' help'" -f -a diff -d 'compare two releases, or two lock files'
complete -c landfall -n "__landfall_called ' help'" -f -a explain -d 'read another person'\''s user-data before you paste it'
complete -c landfall -n "__landfall_called ' help'" -f -a keygen -d 'create a key pair that signs releases'
complete -c landfall -n "__landfall_called ' help'" -f -a sign -d 'sign a bundle with another key, such as the recovery key'
complete -c landfall -n "__landfall_called ' help'" -f -a trust -d 'change and show the keys that servers trust'
complete -c landfall -n "__landfall_called ' help'" -f -a channel -d 'maintain the list of releases from which servers learn of updates'
complete -c landfall -n "__landfall_called ' help'" -f -a user-data -d 'render the user-data that sets up a new server'
complete -c landfall -n "__landfall_called ' help'" -f -a page -d 'write the web page that makes user-data in a browser'
complete -c landfall -n "__landfall_called ' help'" -f -a serve -d 'serve a release over HTTP, for a LAN or an SSH tunnel'
complete -c landfall -n "__landfall_called ' help'" -f -a upload -d 'upload a release to an S3 bucket or over SFTP, and check its URL'
complete -c landfall -n "__landfall_called ' help'" -f -a install -d 'set up a server over SSH'
complete -c landfall -n "__landfall_called ' help'" -f -a push -d 'send the bundle to a server that waits for it, or update a server'
complete -c landfall -n "__landfall_called ' help'" -f -a site -d 'change the site of a server'
complete -c landfall -n "__landfall_called ' help'" -f -a smoke -d 'test a running server from this machine'
complete -c landfall -n "__landfall_called ' help'" -f -a probe -d 'test which route reaches the hosted providers'
complete -c landfall -n "__landfall_called ' help'" -f -a route -d 'set the proxy of your shells, and import proxies'
complete -c landfall -n "__landfall_called ' help'" -f -a editor -d 'proxy settings of code editors: configure, check, remove'
complete -c landfall -n "__landfall_called ' help'" -f -a completion -d 'print a completion script for your shell'
complete -c landfall -n "__landfall_called ' help'" -f -a manual -d 'print the manual page for `man landfall`'
complete -c landfall -n "__landfall_called ' help'" -f -a help -d 'display help for command'
