#compdef landfall
# Completion of landfall for zsh. Written by: landfall completion zsh
_landfall() {
  local word="${words[CURRENT]}" before="${words[CURRENT-1]}"
  local -a seen=("${(@)words[2,CURRENT-1]}")
  case "$word" in
    --*=*) compset -P '*='; before="${word%%=*}" word="${word#*=}" ;;
  esac
  local called="" each files=""
  local -a offers=() options=()
  for each in "${seen[@]}"; do
    case "$called $each" in
      ' status' | ' report' | ' logs' | ' restart' | ' stop' | ' start' | ' site' | ' site show' | ' site diff' | ' site apply' | ' site edit' | ' site set' | ' site add' | ' site remove' | ' site undo' | ' site fields' | ' site history' | ' site help' | ' update' | ' update install' | ' update status' | ' update check' | ' update download' | ' update discard' | ' update rollback' | ' update resume' | ' update history' | ' update help' | ' models' | ' models list' | ' models fit' | ' models pull' | ' models remove' | ' models help' | ' alert' | ' alert list' | ' alert test' | ' alert help' | ' backup' | ' backup status' | ' backup init' | ' backup run' | ' backup list' | ' backup check' | ' backup test' | ' backup key' | ' backup key show' | ' backup key new' | ' backup key help' | ' backup help' | ' restore' | ' export' | ' credentials' | ' secret' | ' secret set' | ' secret list' | ' secret rotate' | ' secret help' | ' ui' | ' ui users' | ' ui users list' | ' ui users add' | ' ui users help' | ' ui password' | ' ui help' | ' relay' | ' relay usage' | ' relay client' | ' relay key' | ' relay key add' | ' relay key rotate' | ' relay key remove' | ' relay key help' | ' relay help' | ' route' | ' route show' | ' route test' | ' route on' | ' route off' | ' route redirect' | ' route proxychains' | ' route import' | ' route export' | ' route pac' | ' route help' | ' probe' | ' probe hub' | ' probe mirrors' | ' firewall' | ' firewall list' | ' firewall allow' | ' firewall deny' | ' firewall apply' | ' firewall help' | ' access' | ' access list' | ' access add' | ' access remove' | ' access help' | ' confirm' | ' tls' | ' tls status' | ' tls renew' | ' tls help' | ' editor' | ' editor configure' | ' editor check' | ' editor remove' | ' editor help' | ' engines' | ' engines list' | ' engines show' | ' engines drain' | ' engines resume' | ' engines test' | ' engines help' | ' node' | ' node list' | ' node token' | ' node join' | ' node drain' | ' node resume' | ' node remove' | ' node leave' | ' node help' | ' stack' | ' stack render' | ' stack help' | ' doctor' | ' smoke' | ' plan' | ' first-boot' | ' uninstall' | ' completion' | ' help') called="$called $each" ;;
      *) break ;;
    esac
  done
  case "$called" in
    '') options=('--version:output the version number' '--help:display help for command') offers=('status:show the state of this server, also as an exit code' 'report:show URLs, fingerprints, models and next steps' 'logs:show the logs of components and units, merged by time' 'restart:restart a component, or all, and wait until they are healthy' 'stop:stop a component until it is started' 'start:start a component, or all, and wait until they are healthy' 'site:show and change the site of this server' 'update:install newer releases, and go back' 'models:Ollama'\''s models: list, download and delete them; which ones fit' 'alert:show and test the targets of alerts' 'backup:make backups of chats, documents and settings' 'restore:bring a backup back, to this server or to a new one' 'export:write all chats and documents into a new folder' 'credentials:show the passwords and keys that were generated here' 'secret:set, list and replace secrets, such as provider keys and access codes' 'ui:list and add accounts of the chat UI, and set a lost password' 'relay:connect clients; show what relay keys have used; change keys' 'route:show and check the route of this server, and turn it off and on' 'probe:test which route reaches the hosted providers' 'firewall:show, open and close ports, in UFW and for containers' 'access:devices that reach the chat through WireGuard: add, show and remove them' 'confirm:confirm a pending change; run it in a new login' 'tls:show and renew the certificate' 'editor:proxy settings of code editors: configure, check, remove' 'engines:several servers with Ollama behind HAProxy: show, drain and test them' 'node:nodes of a Docker Swarm: let a server join, show, drain and remove it' 'stack:print what runs on the nodes of a Swarm' 'doctor:find known faults of this server, with the remedy for each' 'smoke:run the end-to-end tests on this server' 'plan:show what a first boot would do; changes nothing' 'first-boot:set up this server, or what is missing' 'uninstall:remove Landfall from this server; keeps the chats and models unless told otherwise' 'completion:print a completion script for your shell' 'help:display help for command') files="" ;;
    ' status') options=('--watch:follow a first boot until it ends' '--json:print the state as JSON' '--help:display help for command') offers=() files="" ;;
    ' report') options=('--json:print the report as JSON' '--timings:also show the durations of the stages' '--help:display help for command') offers=() files="" ;;
    ' logs') options=('--follow:show new lines until Ctrl-C' '--since:show lines since: 30m, 1h, 2d, today, yesterday' '--grep:show lines with this text, in any case' '--lines:show the last lines only' '--json:print one JSON object per line' '--help:display help for command') offers=() files="yes" ;;
    ' restart') options=('--yes:do not ask' '--help:display help for command') offers=() files="" ;;
    ' stop') options=('--yes:do not ask' '--help:display help for command') offers=() files="" ;;
    ' start') options=('--help:display help for command') offers=() files="" ;;
    ' site') options=('--help:display help for command') offers=('show:show the site, or one field of it (default)' 'diff:show what another site would change; changes nothing' 'apply:change the site, and go back automatically if the server does not work with it' 'edit:edit the site in $EDITOR, and apply it' 'set:change fields: hosts.ui chat.example.com' 'add:add an entry to a list: firewall.allow 8443/tcp' 'remove:remove an entry of a list, or a field' 'undo:go back to the site before the last change' 'fields:print the fields of site.yaml: values, defaults, meanings, what a change does' 'history:show the last ten changes of the site' 'help:display help for command') files="" ;;
    ' site show') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' site diff') options=('--json:print it as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' site apply') options=('--yes:do not ask' '--help:display help for command') offers=() files="yes" ;;
    ' site edit') options=('--help:display help for command') offers=() files="" ;;
    ' site set') options=('--yes:do not ask' '--help:display help for command') offers=() files="" ;;
    ' site add') options=('--yes:do not ask' '--help:display help for command') offers=() files="" ;;
    ' site remove') options=('--yes:do not ask' '--help:display help for command') offers=() files="" ;;
    ' site undo') options=('--yes:do not ask' '--help:display help for command') offers=() files="" ;;
    ' site fields') options=('--json:print them as JSON' '--help:display help for command') offers=() files="" ;;
    ' site history') options=('--help:display help for command') offers=() files="" ;;
    ' site help') options=() offers=('show:show the site, or one field of it (default)' 'diff:show what another site would change; changes nothing' 'apply:change the site, and go back automatically if the server does not work with it' 'edit:edit the site in $EDITOR, and apply it' 'set:change fields: hosts.ui chat.example.com' 'add:add an entry to a list: firewall.allow 8443/tcp' 'remove:remove an entry of a list, or a field' 'undo:go back to the site before the last change' 'fields:print the fields of site.yaml: values, defaults, meanings, what a change does' 'history:show the last ten changes of the site' 'help:display help for command') files="" ;;
    ' update') options=('--help:display help for command') offers=('install:install the next release, and go back automatically if it does not work (default)' 'status:show the last check, and the update in progress' 'check:look for a newer release; exits with 14 if there is one' 'download:download the next release, to install it later' 'discard:delete a downloaded release' 'rollback:go back to the release before this one' 'resume:continue a rollback that is stuck' 'history:show the updates of this server' 'help:display help for command') files="" ;;
    ' update install') options=('--dry-run:show what would happen; change nothing' '--yes:do not ask' '--retry:try a release again that was rolled back' '--without-rollback:go on without a way back if there is no space for one' '--max-pause:go back if the new release is not ready after this time' '--help:display help for command') offers=() files="" ;;
    ' update status') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' update check') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' update download') options=('--help:display help for command') offers=() files="" ;;
    ' update discard') options=('--help:display help for command') offers=() files="" ;;
    ' update rollback') options=('--restore-data:also go back to the chats of before the update' '--yes:do not ask' '--max-pause:go back if the new release is not ready after this time' '--help:display help for command') offers=() files="" ;;
    ' update resume') options=('--without-copy:give up the copy of the chats, if it is damaged' '--yes:do not ask' '--help:display help for command') offers=() files="" ;;
    ' update history') options=('--json:print them as JSON' '--help:display help for command') offers=() files="" ;;
    ' update help') options=() offers=('install:install the next release, and go back automatically if it does not work (default)' 'status:show the last check, and the update in progress' 'check:look for a newer release; exits with 14 if there is one' 'download:download the next release, to install it later' 'discard:delete a downloaded release' 'rollback:go back to the release before this one' 'resume:continue a rollback that is stuck' 'history:show the updates of this server' 'help:display help for command') files="" ;;
    ' models') options=('--help:display help for command') offers=('list:show the models of this server (default)' 'fit:show which models of the release this server has memory for, and with which context' 'pull:download a model' 'remove:delete a model' 'help:display help for command') files="" ;;
    ' models list') options=('--json:print them as JSON' '--help:display help for command') offers=() files="" ;;
    ' models fit') options=('--context:tokens of a conversation, such as 65536' '--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' models pull') options=('--mirror:download it from this mirror' '--help:display help for command') offers=() files="" ;;
    ' models remove') options=('--help:display help for command') offers=() files="" ;;
    ' models help') options=() offers=('list:show the models of this server (default)' 'fit:show which models of the release this server has memory for, and with which context' 'pull:download a model' 'remove:delete a model' 'help:display help for command') files="" ;;
    ' alert') options=('--help:display help for command') offers=('list:show the targets, and the secrets that are missing (default)' 'test:send a test message to every target; exits with 11 if one fails' 'help:display help for command') files="" ;;
    ' alert list') options=('--json:print them as JSON' '--help:display help for command') offers=() files="" ;;
    ' alert test') options=('--json:print the results as JSON' '--help:display help for command') offers=() files="" ;;
    ' alert help') options=() offers=('list:show the targets, and the secrets that are missing (default)' 'test:send a test message to every target; exits with 11 if one fails' 'help:display help for command') files="" ;;
    ' backup') options=('--help:display help for command') offers=('status:show the last backup at each target (default)' 'init:create the repositories and the password' 'run:make a backup now' 'list:show the backups at each target' 'check:verify the structure and 2 % of the data at each target' 'test:restore the last backup of each target into a scratch folder, and check it' 'key:show or replace the password of the backups' 'help:display help for command') files="" ;;
    ' backup status') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' backup init') options=('--help:display help for command') offers=() files="" ;;
    ' backup run') options=('--take-over:continue the backups of the earlier server, which is stopped for good' '--help:display help for command') offers=() files="" ;;
    ' backup list') options=('--json:print them as JSON' '--help:display help for command') offers=() files="" ;;
    ' backup check') options=('--help:display help for command') offers=() files="" ;;
    ' backup test') options=('--help:display help for command') offers=() files="" ;;
    ' backup key') options=('--help:display help for command') offers=('show:show the password again, in groups and as a QR code (default)' 'new:replace the password at each target' 'help:display help for command') files="" ;;
    ' backup key show') options=('--yes:do not ask' '--help:display help for command') offers=() files="" ;;
    ' backup key new') options=('--help:display help for command') offers=() files="" ;;
    ' backup key help') options=() offers=('show:show the password again, in groups and as a QR code (default)' 'new:replace the password at each target' 'help:display help for command') files="" ;;
    ' backup help') options=() offers=('status:show the last backup at each target (default)' 'init:create the repositories and the password' 'run:make a backup now' 'list:show the backups at each target' 'check:verify the structure and 2 % of the data at each target' 'test:restore the last backup of each target into a scratch folder, and check it' 'key:show or replace the password of the backups' 'help:display help for command') files="" ;;
    ' restore') options=('--from:the target in the site, from 1; default: the first one' '--undo:go back to the chats of before the last restore' '--yes:do not ask' '--max-pause:go back if the new release is not ready after this time' '--help:display help for command') offers=() files="" ;;
    ' export') options=('--json:print the summary as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' credentials') options=('--json:print them as JSON, also to a file or a pipe' '--help:display help for command') offers=() files="" ;;
    ' secret') options=('--help:display help for command') offers=('set:ask for the value of a secret and store it' 'list:show which secrets are set, how old they are, and who uses them; no values' 'rotate:replace generated secrets; only the components that read them restart' 'help:display help for command') files="" ;;
    ' secret set') options=('--help:display help for command') offers=() files="" ;;
    ' secret list') options=('--json:print them as JSON' '--help:display help for command') offers=() files="" ;;
    ' secret rotate') options=('--all-generated:all generated secrets in use, without WEBUI_SECRET_KEY' '--yes:do not ask for confirmation' '--help:display help for command') offers=() files="" ;;
    ' secret help') options=() offers=('set:ask for the value of a secret and store it' 'list:show which secrets are set, how old they are, and who uses them; no values' 'rotate:replace generated secrets; only the components that read them restart' 'help:display help for command') files="" ;;
    ' ui') options=('--help:display help for command') offers=('users:list the accounts of the chat UI, or add one' 'password:set a new password for an account that has lost it' 'help:display help for command') files="" ;;
    ' ui users') options=('--help:display help for command') offers=('list:list the accounts of the chat UI (default)' 'add:add an account, and print its password once' 'help:display help for command') files="" ;;
    ' ui users list') options=('--json:print them as JSON' '--help:display help for command') offers=() files="" ;;
    ' ui users add') options=('--name:shown in the chat; default: the email address up to the @' '--role:what the account may do' '--ask:ask for the password instead of generating one' '--help:display help for command') offers=() files="" ;;
    ' ui users help') options=() offers=('list:list the accounts of the chat UI (default)' 'add:add an account, and print its password once' 'help:display help for command') files="" ;;
    ' ui password') options=('--ask:ask for the password instead of generating one' '--yes:do not ask for confirmation' '--help:display help for command') offers=() files="" ;;
    ' ui help') options=() offers=('users:list the accounts of the chat UI, or add one' 'password:set a new password for an account that has lost it' 'help:display help for command') files="" ;;
    ' relay') options=('--help:display help for command') offers=('usage:show what relay keys with a budget have used, and what is left' 'client:print the settings of a client, such as Claude Code, and make its relay key' 'key:add, replace and remove relay keys' 'help:display help for command') files="" ;;
    ' relay usage') options=('--key:show one key only' '--since:sum this many days, today included: 7d' '--json:print it as JSON' '--csv:print it as CSV' '--help:display help for command') offers=() files="" ;;
    ' relay client') options=('--key:relay key to use, or to make (default: the name of the client)' '--budget:tokens of a new key: 200k/day, 3M/month' '--model:model (default: one that the key may use, of this server first)' '--api:API of the client' '--qr:also print its link as a QR code, for apps with a link' '--json:print them as JSON, also to a file or a pipe' '--yes:do not ask for confirmation' '--help:display help for command') offers=() files="" ;;
    ' relay key') options=('--help:display help for command') offers=('add:add a relay key to the site, apply the site, and print the key once' 'rotate:replace a relay key, and print the new one once' 'remove:remove a relay key from the site, and apply the site' 'help:display help for command') files="" ;;
    ' relay key add') options=('--tokens-per-day:tokens of prompts and answers per day' '--tokens-per-month:tokens per calendar month' '--requests-per-day:requests to models per day' '--models:models that it may use, or prefixes such as text-embedding-*' '--expires:last day on which it is valid: 2027-03-31' '--yes:do not ask for confirmation' '--help:display help for command') offers=() files="" ;;
    ' relay key rotate') options=('--yes:do not ask for confirmation' '--help:display help for command') offers=() files="" ;;
    ' relay key remove') options=('--yes:do not ask for confirmation' '--help:display help for command') offers=() files="" ;;
    ' relay key help') options=() offers=('add:add a relay key to the site, apply the site, and print the key once' 'rotate:replace a relay key, and print the new one once' 'remove:remove a relay key from the site, and apply the site' 'help:display help for command') files="" ;;
    ' relay help') options=() offers=('usage:show what relay keys with a budget have used, and what is left' 'client:print the settings of a client, such as Claude Code, and make its relay key' 'key:add, replace and remove relay keys' 'help:display help for command') files="" ;;
    ' route') options=('--help:display help for command') offers=('show:show the route, without passwords (default)' 'test:check every destination of the route; exits with 11 if one fails' 'on:apply the route of the site' 'off:undo the route on this server; the site keeps it' 'redirect:send all TCP connections of chosen users through the proxy of the site' 'proxychains:install proxychains4 with the proxy of the site' 'import:import proxies from a file or a subscription' 'export:write the imported proxies as a configuration of mihomo or sing-box' 'pac:print a PAC file for browsers and editors' 'help:display help for command') files="" ;;
    ' route show') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' route test') options=('--json:print the results as JSON' '--help:display help for command') offers=() files="" ;;
    ' route on') options=('--help:display help for command') offers=() files="" ;;
    ' route off') options=('--help:display help for command') offers=() files="" ;;
    ' route redirect') options=('--user:the user; replaces the users of earlier calls (repeatable)' '--off:stop the redirection and remove its rules' '--help:display help for command') offers=() files="" ;;
    ' route proxychains') options=('--off:remove its settings' '--help:display help for command') offers=() files="" ;;
    ' route import') options=('--refresh:fetch the imported subscription again' '--user-agent:the client that the provider of a subscription sees' '--details:list every entry that is left out, with its line' '--strict:fail at any problem instead of leaving entries out' '--json:print the result as JSON' '--help:display help for command') offers=() files="yes" ;;
    ' route export') options=('--format:program that reads the file' '--output:file that only you can read; - prints it' '--allow-lan:accept connections of other hosts if the source asks for it' '--help:display help for command') offers=() files="" ;;
    ' route pac') options=('--help:display help for command') offers=() files="" ;;
    ' route help') options=() offers=('show:show the route, without passwords (default)' 'test:check every destination of the route; exits with 11 if one fails' 'on:apply the route of the site' 'off:undo the route on this server; the site keeps it' 'redirect:send all TCP connections of chosen users through the proxy of the site' 'proxychains:install proxychains4 with the proxy of the site' 'import:import proxies from a file or a subscription' 'export:write the imported proxies as a configuration of mihomo or sing-box' 'pac:print a PAC file for browsers and editors' 'help:display help for command') files="" ;;
    ' probe') options=('--proxy:compare with this proxy (default: the route of the site)' '--resolver:resolver with DNS over HTTPS' '--echo:service that returns the egress address' '--json:print the result as JSON' '--help:display help for command') offers=('hub:send a request for hosted inference to a model hub' 'mirrors:test the mirrors of the site, or those of a preset') files="" ;;
    ' probe hub') options=('--url:URL before /models (default: that of the site, else Hugging Face)' '--inputs:input of the model' '--proxy:proxy if direct access fails (default: the route of the site)' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' probe mirrors') options=('--preset:mirrors of a preset instead' '--proxy:proxy if direct access fails (default: the route of the site)' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' firewall') options=('--help:display help for command') offers=('list:show which ports are open (default)' 'allow:open a port' 'deny:close a port that was opened' 'apply:apply the settings to both firewalls' 'help:display help for command') files="" ;;
    ' firewall list') options=('--json:print them as JSON' '--help:display help for command') offers=() files="" ;;
    ' firewall allow') options=('--help:display help for command') offers=() files="" ;;
    ' firewall deny') options=('--help:display help for command') offers=() files="" ;;
    ' firewall apply') options=('--help:display help for command') offers=() files="" ;;
    ' firewall help') options=() offers=('list:show which ports are open (default)' 'allow:open a port' 'deny:close a port that was opened' 'apply:apply the settings to both firewalls' 'help:display help for command') files="" ;;
    ' access') options=('--help:display help for command') offers=('list:show each device: address, source, last connection (default)' 'add:make a configuration for a device, and show it once' 'remove:end the access of a device for good' 'help:display help for command') files="" ;;
    ' access list') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' access add') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' access remove') options=('--yes:do not ask for confirmation' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' access help') options=() offers=('list:show each device: address, source, last connection (default)' 'add:make a configuration for a device, and show it once' 'remove:end the access of a device for good' 'help:display help for command') files="" ;;
    ' confirm') options=('--help:display help for command') offers=() files="" ;;
    ' tls') options=('--help:display help for command') offers=('status:show the certificate (default)' 'renew:renew the certificate if it is due' 'help:display help for command') files="" ;;
    ' tls status') options=('--json:print its details as JSON' '--help:display help for command') offers=() files="" ;;
    ' tls renew') options=('--force:renew it now' '--help:display help for command') offers=() files="" ;;
    ' tls help') options=() offers=('status:show the certificate (default)' 'renew:renew the certificate if it is due' 'help:display help for command') files="" ;;
    ' editor') options=('--help:display help for command') offers=('configure:write the proxy into the user settings' 'check:test the vendor'\''s hosts through the proxy' 'remove:undo configure' 'help:display help for command') files="" ;;
    ' editor configure') options=('--editor:editor (default: the one that is found)' '--settings:settings.json of another editor' '--json:print the result as JSON' '--proxy:HTTP proxy, without a password (default: HTTPS_PROXY)' '--no-strict-ssl:do not verify certificates: for debugging only' '--help:display help for command') offers=() files="" ;;
    ' editor check') options=('--editor:editor (default: the one that is found)' '--settings:settings.json of another editor' '--json:print the result as JSON' '--host:also test this host; repeatable' '--help:display help for command') offers=() files="" ;;
    ' editor remove') options=('--editor:editor (default: the one that is found)' '--settings:settings.json of another editor' '--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' editor help') options=() offers=('configure:write the proxy into the user settings' 'check:test the vendor'\''s hosts through the proxy' 'remove:undo configure' 'help:display help for command') files="" ;;
    ' engines') options=('--help:display help for command') offers=('list:show the state of each server with Ollama (default)' 'show:print what the site of a node needs; on a node, what the first server needs' 'drain:give a server no new requests, and wait until it is idle' 'resume:give a drained server requests again' 'test:test a server: certificate, models, one generation' 'help:display help for command') files="" ;;
    ' engines list') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' engines show') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' engines drain') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' engines resume') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' engines test') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' engines help') options=() offers=('list:show the state of each server with Ollama (default)' 'show:print what the site of a node needs; on a node, what the first server needs' 'drain:give a server no new requests, and wait until it is idle' 'resume:give a drained server requests again' 'test:test a server: certificate, models, one generation' 'help:display help for command') files="" ;;
    ' node') options=('--help:display help for command') offers=('list:show each node: connection, Ollama, Docker (default)' 'token:make a token with which one server can join, on the first server' 'join:make this engine node join; asks for the token' 'drain:give a node no new requests, wait until it is idle, and stop its Ollama' 'resume:start Ollama on a drained node again' 'remove:take a node out of the Swarm for good' 'leave:make this engine node leave the Swarm' 'help:display help for command') files="" ;;
    ' node list') options=('--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' node token') options=('--yes:do not ask, also if the node has joined' '--json:print it as JSON' '--help:display help for command') offers=() files="" ;;
    ' node join') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' node drain') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' node resume') options=('--json:print the result as JSON' '--help:display help for command') offers=() files="" ;;
    ' node remove') options=('--json:print the result as JSON' '--yes:do not ask for confirmation' '--help:display help for command') offers=() files="" ;;
    ' node leave') options=('--yes:do not ask for confirmation' '--help:display help for command') offers=() files="" ;;
    ' node help') options=() offers=('list:show each node: connection, Ollama, Docker (default)' 'token:make a token with which one server can join, on the first server' 'join:make this engine node join; asks for the token' 'drain:give a node no new requests, wait until it is idle, and stop its Ollama' 'resume:start Ollama on a drained node again' 'remove:take a node out of the Swarm for good' 'leave:make this engine node leave the Swarm' 'help:display help for command') files="" ;;
    ' stack') options=('--help:display help for command') offers=('render:print the stack file of the Swarm, as the first server deploys it' 'help:display help for command') files="" ;;
    ' stack render') options=('--swarm:that of the Swarm; required, because `landfall plan` shows the other files' '--help:display help for command') offers=() files="" ;;
    ' stack help') options=() offers=('render:print the stack file of the Swarm, as the first server deploys it' 'help:display help for command') files="" ;;
    ' doctor') options=('--fix:apply the fixes that are safe; asks for each' '--yes:with --fix: do not ask' '--symptom:print the remedies for what you see' '--json:print the findings, or the symptom, as JSON' '--help:display help for command') offers=() files="" ;;
    ' smoke') options=('--json:print the results as JSON' '--junit:also write the results as JUnit XML' '--help:display help for command') offers=() files="" ;;
    ' plan') options=('--json:print the plan as JSON' '--help:display help for command') offers=() files="" ;;
    ' first-boot') options=('--help:display help for command') offers=() files="" ;;
    ' uninstall') options=('--delete-data:also delete chats, documents, models, keys and secrets' '--yes:do not ask; not enough for --delete-data' '--help:display help for command') offers=() files="" ;;
    ' completion') options=('--help:display help for command') offers=('bash:' 'zsh:' 'fish:') files="" ;;
    ' help') options=() offers=('status:show the state of this server, also as an exit code' 'report:show URLs, fingerprints, models and next steps' 'logs:show the logs of components and units, merged by time' 'restart:restart a component, or all, and wait until they are healthy' 'stop:stop a component until it is started' 'start:start a component, or all, and wait until they are healthy' 'site:show and change the site of this server' 'update:install newer releases, and go back' 'models:Ollama'\''s models: list, download and delete them; which ones fit' 'alert:show and test the targets of alerts' 'backup:make backups of chats, documents and settings' 'restore:bring a backup back, to this server or to a new one' 'export:write all chats and documents into a new folder' 'credentials:show the passwords and keys that were generated here' 'secret:set, list and replace secrets, such as provider keys and access codes' 'ui:list and add accounts of the chat UI, and set a lost password' 'relay:connect clients; show what relay keys have used; change keys' 'route:show and check the route of this server, and turn it off and on' 'probe:test which route reaches the hosted providers' 'firewall:show, open and close ports, in UFW and for containers' 'access:devices that reach the chat through WireGuard: add, show and remove them' 'confirm:confirm a pending change; run it in a new login' 'tls:show and renew the certificate' 'editor:proxy settings of code editors: configure, check, remove' 'engines:several servers with Ollama behind HAProxy: show, drain and test them' 'node:nodes of a Docker Swarm: let a server join, show, drain and remove it' 'stack:print what runs on the nodes of a Swarm' 'doctor:find known faults of this server, with the remedy for each' 'smoke:run the end-to-end tests on this server' 'plan:show what a first boot would do; changes nothing' 'first-boot:set up this server, or what is missing' 'uninstall:remove Landfall from this server; keeps the chats and models unless told otherwise' 'completion:print a completion script for your shell' 'help:display help for command') files="" ;;
  esac
  case "$called $before" in
    ' logs --since') offers=() files="" ;;
    ' logs --grep') offers=() files="" ;;
    ' logs --lines') offers=() files="" ;;
    ' update install --max-pause') offers=() files="" ;;
    ' update rollback --max-pause') offers=() files="" ;;
    ' models fit --context') offers=() files="" ;;
    ' models pull --mirror') offers=() files="" ;;
    ' restore --from') offers=() files="" ;;
    ' restore --max-pause') offers=() files="" ;;
    ' ui users add --name') offers=() files="" ;;
    ' ui users add --role') offers=('user:' 'admin:') files="" ;;
    ' relay usage --key') offers=() files="" ;;
    ' relay usage --since') offers=() files="" ;;
    ' relay client --key') offers=() files="" ;;
    ' relay client --budget') offers=() files="" ;;
    ' relay client --model') offers=() files="" ;;
    ' relay client --api') offers=('openai:' 'anthropic:' 'gemini:' 'ollama:') files="" ;;
    ' relay key add --tokens-per-day') offers=() files="" ;;
    ' relay key add --tokens-per-month') offers=() files="" ;;
    ' relay key add --requests-per-day') offers=() files="" ;;
    ' relay key add --models') offers=() files="" ;;
    ' relay key add --expires') offers=() files="" ;;
    ' route redirect --user') offers=() files="" ;;
    ' route import --user-agent') offers=() files="" ;;
    ' route export --format') offers=('mihomo:' 'sing-box:') files="" ;;
    ' route export --output') offers=() files="yes" ;;
    ' probe --proxy') offers=() files="" ;;
    ' probe --resolver') offers=() files="" ;;
    ' probe --echo') offers=() files="" ;;
    ' probe hub --url') offers=() files="" ;;
    ' probe hub --inputs') offers=() files="" ;;
    ' probe hub --proxy') offers=() files="" ;;
    ' probe mirrors --preset') offers=('china-debian:' 'china-ubuntu:') files="" ;;
    ' probe mirrors --proxy') offers=() files="" ;;
    ' editor configure --editor') offers=('code:' 'code-insiders:' 'vscodium:' 'cursor:' 'windsurf:' 'trae:' 'code-server:' 'code-remote:' 'cursor-remote:') files="" ;;
    ' editor configure --settings') offers=() files="yes" ;;
    ' editor configure --proxy') offers=() files="" ;;
    ' editor check --editor') offers=('code:' 'code-insiders:' 'vscodium:' 'cursor:' 'windsurf:' 'trae:' 'code-server:' 'code-remote:' 'cursor-remote:') files="" ;;
    ' editor check --settings') offers=() files="yes" ;;
    ' editor check --host') offers=() files="" ;;
    ' editor remove --editor') offers=('code:' 'code-insiders:' 'vscodium:' 'cursor:' 'windsurf:' 'trae:' 'code-server:' 'code-remote:' 'cursor-remote:') files="" ;;
    ' editor remove --settings') offers=() files="yes" ;;
    ' doctor --symptom') offers=('list:' 'browser-403:' 'browser-502:' 'browser-no-answer:' 'chat-no-model:' 'no-landfall:' 'ssh-locked-out:' 'chat-sign-in:' 'editor-code:' 'editor-ai-reply:' 'editor-login-spins:') files="" ;;
    ' smoke --junit') offers=() files="yes" ;;
  esac
  case "$word" in
    -*) offers=("${options[@]}") files="" ;;
  esac
  (( $#offers )) && _describe value offers
  [ -z "$files" ] || _files
}
_landfall "$@"
