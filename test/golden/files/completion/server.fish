# Completion of landfall for fish. Written by: landfall completion fish
function __landfall_called
  set -l called ''
  for each in (commandline -opc)[2..-1]
    contains -- "$called $each" ' status' ' report' ' logs' ' restart' ' stop' ' start' ' site' ' site show' ' site diff' ' site apply' ' site edit' ' site set' ' site add' ' site remove' ' site undo' ' site fields' ' site history' ' site help' ' update' ' update install' ' update status' ' update check' ' update download' ' update discard' ' update rollback' ' update resume' ' update history' ' update help' ' models' ' models list' ' models fit' ' models pull' ' models remove' ' models help' ' alert' ' alert list' ' alert test' ' alert help' ' backup' ' backup status' ' backup init' ' backup run' ' backup list' ' backup check' ' backup test' ' backup key' ' backup key show' ' backup key new' ' backup key help' ' backup help' ' restore' ' export' ' credentials' ' secret' ' secret set' ' secret list' ' secret rotate' ' secret help' ' ui' ' ui users' ' ui users list' ' ui users add' ' ui users help' ' ui password' ' ui help' ' relay' ' relay usage' ' relay client' ' relay key' ' relay key add' ' relay key rotate' ' relay key remove' ' relay key help' ' relay help' ' route' ' route show' ' route test' ' route on' ' route off' ' route redirect' ' route proxychains' ' route import' ' route export' ' route pac' ' route help' ' probe' ' probe hub' ' probe mirrors' ' firewall' ' firewall list' ' firewall allow' ' firewall deny' ' firewall apply' ' firewall help' ' access' ' access list' ' access add' ' access remove' ' access help' ' confirm' ' tls' ' tls status' ' tls renew' ' tls help' ' editor' ' editor configure' ' editor check' ' editor remove' ' editor help' ' engines' ' engines list' ' engines show' ' engines drain' ' engines resume' ' engines test' ' engines help' ' node' ' node list' ' node token' ' node join' ' node drain' ' node resume' ' node remove' ' node leave' ' node help' ' stack' ' stack render' ' stack help' ' doctor' ' smoke' ' plan' ' first-boot' ' uninstall' ' completion' ' help'; or break
    set called "$called $each"
  end
  test "$called" = "$argv[1]"
end
complete -c landfall -n "__landfall_called ''" -f
complete -c landfall -n "__landfall_called ''" -f -a status -d 'show the state of this server, also as an exit code'
complete -c landfall -n "__landfall_called ''" -f -a report -d 'show URLs, fingerprints, models and next steps'
complete -c landfall -n "__landfall_called ''" -f -a logs -d 'show the logs of components and units, merged by time'
complete -c landfall -n "__landfall_called ''" -f -a restart -d 'restart a component, or all, and wait until they are healthy'
complete -c landfall -n "__landfall_called ''" -f -a stop -d 'stop a component until it is started'
complete -c landfall -n "__landfall_called ''" -f -a start -d 'start a component, or all, and wait until they are healthy'
complete -c landfall -n "__landfall_called ''" -f -a site -d 'show and change the site of this server'
complete -c landfall -n "__landfall_called ''" -f -a update -d 'install newer releases, and go back'
complete -c landfall -n "__landfall_called ''" -f -a models -d 'Ollama'\''s models: list, download and delete them; which ones fit'
complete -c landfall -n "__landfall_called ''" -f -a alert -d 'show and test the targets of alerts'
complete -c landfall -n "__landfall_called ''" -f -a backup -d 'make backups of chats, documents and settings'
complete -c landfall -n "__landfall_called ''" -f -a restore -d 'bring a backup back, to this server or to a new one'
complete -c landfall -n "__landfall_called ''" -f -a export -d 'write all chats and documents into a new folder'
complete -c landfall -n "__landfall_called ''" -f -a credentials -d 'show the passwords and keys that were generated here'
complete -c landfall -n "__landfall_called ''" -f -a secret -d 'set, list and replace secrets, such as provider keys and access codes'
complete -c landfall -n "__landfall_called ''" -f -a ui -d 'list and add accounts of the chat UI, and set a lost password'
complete -c landfall -n "__landfall_called ''" -f -a relay -d 'connect clients; show what relay keys have used; change keys'
complete -c landfall -n "__landfall_called ''" -f -a route -d 'show and check the route of this server, and turn it off and on'
complete -c landfall -n "__landfall_called ''" -f -a probe -d 'test which route reaches the hosted providers'
complete -c landfall -n "__landfall_called ''" -f -a firewall -d 'show, open and close ports, in UFW and for containers'
complete -c landfall -n "__landfall_called ''" -f -a access -d 'devices that reach the chat through WireGuard: add, show and remove them'
complete -c landfall -n "__landfall_called ''" -f -a confirm -d 'confirm a pending change; run it in a new login'
complete -c landfall -n "__landfall_called ''" -f -a tls -d 'show and renew the certificate'
complete -c landfall -n "__landfall_called ''" -f -a editor -d 'proxy settings of code editors: configure, check, remove'
complete -c landfall -n "__landfall_called ''" -f -a engines -d 'several servers with Ollama behind HAProxy: show, drain and test them'
complete -c landfall -n "__landfall_called ''" -f -a node -d 'nodes of a Docker Swarm: let a server join, show, drain and remove it'
complete -c landfall -n "__landfall_called ''" -f -a stack -d 'print what runs on the nodes of a Swarm'
complete -c landfall -n "__landfall_called ''" -f -a doctor -d 'find known faults of this server, with the remedy for each'
complete -c landfall -n "__landfall_called ''" -f -a smoke -d 'run the end-to-end tests on this server'
complete -c landfall -n "__landfall_called ''" -f -a plan -d 'show what a first boot would do; changes nothing'
complete -c landfall -n "__landfall_called ''" -f -a first-boot -d 'set up this server, or what is missing'
complete -c landfall -n "__landfall_called ''" -f -a uninstall -d 'remove Landfall from this server; keeps the chats and models unless told otherwise'
complete -c landfall -n "__landfall_called ''" -f -a completion -d 'print a completion script for your shell'
complete -c landfall -n "__landfall_called ''" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ''" -l version -d 'output the version number'
complete -c landfall -n "__landfall_called ''" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' status'" -f
complete -c landfall -n "__landfall_called ' status'" -l watch -d 'follow a first boot until it ends'
complete -c landfall -n "__landfall_called ' status'" -l json -d 'print the state as JSON'
complete -c landfall -n "__landfall_called ' status'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' report'" -f
complete -c landfall -n "__landfall_called ' report'" -l json -d 'print the report as JSON'
complete -c landfall -n "__landfall_called ' report'" -l timings -d 'also show the durations of the stages'
complete -c landfall -n "__landfall_called ' report'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' logs'" -F
complete -c landfall -n "__landfall_called ' logs'" -l follow -d 'show new lines until Ctrl-C'
complete -c landfall -n "__landfall_called ' logs'" -l since -d 'show lines since: 30m, 1h, 2d, today, yesterday' -r -f -a ''
complete -c landfall -n "__landfall_called ' logs'" -l grep -d 'show lines with this text, in any case' -r -f -a ''
complete -c landfall -n "__landfall_called ' logs'" -l lines -d 'show the last lines only' -r -f -a ''
complete -c landfall -n "__landfall_called ' logs'" -l json -d 'print one JSON object per line'
complete -c landfall -n "__landfall_called ' logs'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' restart'" -f
complete -c landfall -n "__landfall_called ' restart'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' restart'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' stop'" -f
complete -c landfall -n "__landfall_called ' stop'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' stop'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' start'" -f
complete -c landfall -n "__landfall_called ' start'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site'" -f
complete -c landfall -n "__landfall_called ' site'" -f -a show -d 'show the site, or one field of it (default)'
complete -c landfall -n "__landfall_called ' site'" -f -a diff -d 'show what another site would change; changes nothing'
complete -c landfall -n "__landfall_called ' site'" -f -a apply -d 'change the site, and go back automatically if the server does not work with it'
complete -c landfall -n "__landfall_called ' site'" -f -a edit -d 'edit the site in $EDITOR, and apply it'
complete -c landfall -n "__landfall_called ' site'" -f -a set -d 'change fields: hosts.ui chat.example.com'
complete -c landfall -n "__landfall_called ' site'" -f -a add -d 'add an entry to a list: firewall.allow 8443/tcp'
complete -c landfall -n "__landfall_called ' site'" -f -a remove -d 'remove an entry of a list, or a field'
complete -c landfall -n "__landfall_called ' site'" -f -a undo -d 'go back to the site before the last change'
complete -c landfall -n "__landfall_called ' site'" -f -a fields -d 'print the fields of site.yaml: values, defaults, meanings, what a change does'
complete -c landfall -n "__landfall_called ' site'" -f -a history -d 'show the last ten changes of the site'
complete -c landfall -n "__landfall_called ' site'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site show'" -f
complete -c landfall -n "__landfall_called ' site show'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' site show'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site diff'" -F
complete -c landfall -n "__landfall_called ' site diff'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' site diff'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site apply'" -F
complete -c landfall -n "__landfall_called ' site apply'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' site apply'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site edit'" -f
complete -c landfall -n "__landfall_called ' site edit'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site set'" -f
complete -c landfall -n "__landfall_called ' site set'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' site set'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site add'" -f
complete -c landfall -n "__landfall_called ' site add'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' site add'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site remove'" -f
complete -c landfall -n "__landfall_called ' site remove'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' site remove'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site undo'" -f
complete -c landfall -n "__landfall_called ' site undo'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' site undo'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site fields'" -f
complete -c landfall -n "__landfall_called ' site fields'" -l json -d 'print them as JSON'
complete -c landfall -n "__landfall_called ' site fields'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site history'" -f
complete -c landfall -n "__landfall_called ' site history'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' site help'" -f
complete -c landfall -n "__landfall_called ' site help'" -f -a show -d 'show the site, or one field of it (default)'
complete -c landfall -n "__landfall_called ' site help'" -f -a diff -d 'show what another site would change; changes nothing'
complete -c landfall -n "__landfall_called ' site help'" -f -a apply -d 'change the site, and go back automatically if the server does not work with it'
complete -c landfall -n "__landfall_called ' site help'" -f -a edit -d 'edit the site in $EDITOR, and apply it'
complete -c landfall -n "__landfall_called ' site help'" -f -a set -d 'change fields: hosts.ui chat.example.com'
complete -c landfall -n "__landfall_called ' site help'" -f -a add -d 'add an entry to a list: firewall.allow 8443/tcp'
complete -c landfall -n "__landfall_called ' site help'" -f -a remove -d 'remove an entry of a list, or a field'
complete -c landfall -n "__landfall_called ' site help'" -f -a undo -d 'go back to the site before the last change'
complete -c landfall -n "__landfall_called ' site help'" -f -a fields -d 'print the fields of site.yaml: values, defaults, meanings, what a change does'
complete -c landfall -n "__landfall_called ' site help'" -f -a history -d 'show the last ten changes of the site'
complete -c landfall -n "__landfall_called ' site help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update'" -f
complete -c landfall -n "__landfall_called ' update'" -f -a install -d 'install the next release, and go back automatically if it does not work (default)'
complete -c landfall -n "__landfall_called ' update'" -f -a status -d 'show the last check, and the update in progress'
complete -c landfall -n "__landfall_called ' update'" -f -a check -d 'look for a newer release; exits with 14 if there is one'
complete -c landfall -n "__landfall_called ' update'" -f -a download -d 'download the next release, to install it later'
complete -c landfall -n "__landfall_called ' update'" -f -a discard -d 'delete a downloaded release'
complete -c landfall -n "__landfall_called ' update'" -f -a rollback -d 'go back to the release before this one'
complete -c landfall -n "__landfall_called ' update'" -f -a resume -d 'continue a rollback that is stuck'
complete -c landfall -n "__landfall_called ' update'" -f -a history -d 'show the updates of this server'
complete -c landfall -n "__landfall_called ' update'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update install'" -f
complete -c landfall -n "__landfall_called ' update install'" -l dry-run -d 'show what would happen; change nothing'
complete -c landfall -n "__landfall_called ' update install'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' update install'" -l retry -d 'try a release again that was rolled back'
complete -c landfall -n "__landfall_called ' update install'" -l without-rollback -d 'go on without a way back if there is no space for one'
complete -c landfall -n "__landfall_called ' update install'" -l max-pause -d 'go back if the new release is not ready after this time' -r -f -a ''
complete -c landfall -n "__landfall_called ' update install'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update status'" -f
complete -c landfall -n "__landfall_called ' update status'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' update status'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update check'" -f
complete -c landfall -n "__landfall_called ' update check'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' update check'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update download'" -f
complete -c landfall -n "__landfall_called ' update download'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update discard'" -f
complete -c landfall -n "__landfall_called ' update discard'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update rollback'" -f
complete -c landfall -n "__landfall_called ' update rollback'" -l restore-data -d 'also go back to the chats of before the update'
complete -c landfall -n "__landfall_called ' update rollback'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' update rollback'" -l max-pause -d 'go back if the new release is not ready after this time' -r -f -a ''
complete -c landfall -n "__landfall_called ' update rollback'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update resume'" -f
complete -c landfall -n "__landfall_called ' update resume'" -l without-copy -d 'give up the copy of the chats, if it is damaged'
complete -c landfall -n "__landfall_called ' update resume'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' update resume'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update history'" -f
complete -c landfall -n "__landfall_called ' update history'" -l json -d 'print them as JSON'
complete -c landfall -n "__landfall_called ' update history'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' update help'" -f
complete -c landfall -n "__landfall_called ' update help'" -f -a install -d 'install the next release, and go back automatically if it does not work (default)'
complete -c landfall -n "__landfall_called ' update help'" -f -a status -d 'show the last check, and the update in progress'
complete -c landfall -n "__landfall_called ' update help'" -f -a check -d 'look for a newer release; exits with 14 if there is one'
complete -c landfall -n "__landfall_called ' update help'" -f -a download -d 'download the next release, to install it later'
complete -c landfall -n "__landfall_called ' update help'" -f -a discard -d 'delete a downloaded release'
complete -c landfall -n "__landfall_called ' update help'" -f -a rollback -d 'go back to the release before this one'
complete -c landfall -n "__landfall_called ' update help'" -f -a resume -d 'continue a rollback that is stuck'
complete -c landfall -n "__landfall_called ' update help'" -f -a history -d 'show the updates of this server'
complete -c landfall -n "__landfall_called ' update help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' models'" -f
complete -c landfall -n "__landfall_called ' models'" -f -a list -d 'show the models of this server (default)'
complete -c landfall -n "__landfall_called ' models'" -f -a fit -d 'show which models of the release this server has memory for, and with which context'
complete -c landfall -n "__landfall_called ' models'" -f -a pull -d 'download a model'
complete -c landfall -n "__landfall_called ' models'" -f -a remove -d 'delete a model'
complete -c landfall -n "__landfall_called ' models'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' models'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' models list'" -f
complete -c landfall -n "__landfall_called ' models list'" -l json -d 'print them as JSON'
complete -c landfall -n "__landfall_called ' models list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' models fit'" -f
complete -c landfall -n "__landfall_called ' models fit'" -l context -d 'tokens of a conversation, such as 65536' -r -f -a ''
complete -c landfall -n "__landfall_called ' models fit'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' models fit'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' models pull'" -f
complete -c landfall -n "__landfall_called ' models pull'" -l mirror -d 'download it from this mirror' -r -f -a ''
complete -c landfall -n "__landfall_called ' models pull'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' models remove'" -f
complete -c landfall -n "__landfall_called ' models remove'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' models help'" -f
complete -c landfall -n "__landfall_called ' models help'" -f -a list -d 'show the models of this server (default)'
complete -c landfall -n "__landfall_called ' models help'" -f -a fit -d 'show which models of the release this server has memory for, and with which context'
complete -c landfall -n "__landfall_called ' models help'" -f -a pull -d 'download a model'
complete -c landfall -n "__landfall_called ' models help'" -f -a remove -d 'delete a model'
complete -c landfall -n "__landfall_called ' models help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' alert'" -f
complete -c landfall -n "__landfall_called ' alert'" -f -a list -d 'show the targets, and the secrets that are missing (default)'
complete -c landfall -n "__landfall_called ' alert'" -f -a test -d 'send a test message to every target; exits with 11 if one fails'
complete -c landfall -n "__landfall_called ' alert'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' alert'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' alert list'" -f
complete -c landfall -n "__landfall_called ' alert list'" -l json -d 'print them as JSON'
complete -c landfall -n "__landfall_called ' alert list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' alert test'" -f
complete -c landfall -n "__landfall_called ' alert test'" -l json -d 'print the results as JSON'
complete -c landfall -n "__landfall_called ' alert test'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' alert help'" -f
complete -c landfall -n "__landfall_called ' alert help'" -f -a list -d 'show the targets, and the secrets that are missing (default)'
complete -c landfall -n "__landfall_called ' alert help'" -f -a test -d 'send a test message to every target; exits with 11 if one fails'
complete -c landfall -n "__landfall_called ' alert help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup'" -f
complete -c landfall -n "__landfall_called ' backup'" -f -a status -d 'show the last backup at each target (default)'
complete -c landfall -n "__landfall_called ' backup'" -f -a init -d 'create the repositories and the password'
complete -c landfall -n "__landfall_called ' backup'" -f -a run -d 'make a backup now'
complete -c landfall -n "__landfall_called ' backup'" -f -a list -d 'show the backups at each target'
complete -c landfall -n "__landfall_called ' backup'" -f -a check -d 'verify the structure and 2 % of the data at each target'
complete -c landfall -n "__landfall_called ' backup'" -f -a test -d 'restore the last backup of each target into a scratch folder, and check it'
complete -c landfall -n "__landfall_called ' backup'" -f -a key -d 'show or replace the password of the backups'
complete -c landfall -n "__landfall_called ' backup'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup status'" -f
complete -c landfall -n "__landfall_called ' backup status'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' backup status'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup init'" -f
complete -c landfall -n "__landfall_called ' backup init'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup run'" -f
complete -c landfall -n "__landfall_called ' backup run'" -l take-over -d 'continue the backups of the earlier server, which is stopped for good'
complete -c landfall -n "__landfall_called ' backup run'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup list'" -f
complete -c landfall -n "__landfall_called ' backup list'" -l json -d 'print them as JSON'
complete -c landfall -n "__landfall_called ' backup list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup check'" -f
complete -c landfall -n "__landfall_called ' backup check'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup test'" -f
complete -c landfall -n "__landfall_called ' backup test'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup key'" -f
complete -c landfall -n "__landfall_called ' backup key'" -f -a show -d 'show the password again, in groups and as a QR code (default)'
complete -c landfall -n "__landfall_called ' backup key'" -f -a new -d 'replace the password at each target'
complete -c landfall -n "__landfall_called ' backup key'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup key'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup key show'" -f
complete -c landfall -n "__landfall_called ' backup key show'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' backup key show'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup key new'" -f
complete -c landfall -n "__landfall_called ' backup key new'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup key help'" -f
complete -c landfall -n "__landfall_called ' backup key help'" -f -a show -d 'show the password again, in groups and as a QR code (default)'
complete -c landfall -n "__landfall_called ' backup key help'" -f -a new -d 'replace the password at each target'
complete -c landfall -n "__landfall_called ' backup key help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' backup help'" -f
complete -c landfall -n "__landfall_called ' backup help'" -f -a status -d 'show the last backup at each target (default)'
complete -c landfall -n "__landfall_called ' backup help'" -f -a init -d 'create the repositories and the password'
complete -c landfall -n "__landfall_called ' backup help'" -f -a run -d 'make a backup now'
complete -c landfall -n "__landfall_called ' backup help'" -f -a list -d 'show the backups at each target'
complete -c landfall -n "__landfall_called ' backup help'" -f -a check -d 'verify the structure and 2 % of the data at each target'
complete -c landfall -n "__landfall_called ' backup help'" -f -a test -d 'restore the last backup of each target into a scratch folder, and check it'
complete -c landfall -n "__landfall_called ' backup help'" -f -a key -d 'show or replace the password of the backups'
complete -c landfall -n "__landfall_called ' backup help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' restore'" -f
complete -c landfall -n "__landfall_called ' restore'" -l from -d 'the target in the site, from 1; default: the first one' -r -f -a ''
complete -c landfall -n "__landfall_called ' restore'" -l undo -d 'go back to the chats of before the last restore'
complete -c landfall -n "__landfall_called ' restore'" -l yes -d 'do not ask'
complete -c landfall -n "__landfall_called ' restore'" -l max-pause -d 'go back if the new release is not ready after this time' -r -f -a ''
complete -c landfall -n "__landfall_called ' restore'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' export'" -F
complete -c landfall -n "__landfall_called ' export'" -l json -d 'print the summary as JSON'
complete -c landfall -n "__landfall_called ' export'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' credentials'" -f
complete -c landfall -n "__landfall_called ' credentials'" -l json -d 'print them as JSON, also to a file or a pipe'
complete -c landfall -n "__landfall_called ' credentials'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' secret'" -f
complete -c landfall -n "__landfall_called ' secret'" -f -a set -d 'ask for the value of a secret and store it'
complete -c landfall -n "__landfall_called ' secret'" -f -a list -d 'show which secrets are set, how old they are, and who uses them; no values'
complete -c landfall -n "__landfall_called ' secret'" -f -a rotate -d 'replace generated secrets; only the components that read them restart'
complete -c landfall -n "__landfall_called ' secret'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' secret'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' secret set'" -f
complete -c landfall -n "__landfall_called ' secret set'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' secret list'" -f
complete -c landfall -n "__landfall_called ' secret list'" -l json -d 'print them as JSON'
complete -c landfall -n "__landfall_called ' secret list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' secret rotate'" -f
complete -c landfall -n "__landfall_called ' secret rotate'" -l all-generated -d 'all generated secrets in use, without WEBUI_SECRET_KEY'
complete -c landfall -n "__landfall_called ' secret rotate'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' secret rotate'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' secret help'" -f
complete -c landfall -n "__landfall_called ' secret help'" -f -a set -d 'ask for the value of a secret and store it'
complete -c landfall -n "__landfall_called ' secret help'" -f -a list -d 'show which secrets are set, how old they are, and who uses them; no values'
complete -c landfall -n "__landfall_called ' secret help'" -f -a rotate -d 'replace generated secrets; only the components that read them restart'
complete -c landfall -n "__landfall_called ' secret help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui'" -f
complete -c landfall -n "__landfall_called ' ui'" -f -a users -d 'list the accounts of the chat UI, or add one'
complete -c landfall -n "__landfall_called ' ui'" -f -a password -d 'set a new password for an account that has lost it'
complete -c landfall -n "__landfall_called ' ui'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui users'" -f
complete -c landfall -n "__landfall_called ' ui users'" -f -a list -d 'list the accounts of the chat UI (default)'
complete -c landfall -n "__landfall_called ' ui users'" -f -a add -d 'add an account, and print its password once'
complete -c landfall -n "__landfall_called ' ui users'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui users'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui users list'" -f
complete -c landfall -n "__landfall_called ' ui users list'" -l json -d 'print them as JSON'
complete -c landfall -n "__landfall_called ' ui users list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui users add'" -f
complete -c landfall -n "__landfall_called ' ui users add'" -l name -d 'shown in the chat; default: the email address up to the @' -r -f -a ''
complete -c landfall -n "__landfall_called ' ui users add'" -l role -d 'what the account may do' -r -f -a 'user admin'
complete -c landfall -n "__landfall_called ' ui users add'" -l ask -d 'ask for the password instead of generating one'
complete -c landfall -n "__landfall_called ' ui users add'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui users help'" -f
complete -c landfall -n "__landfall_called ' ui users help'" -f -a list -d 'list the accounts of the chat UI (default)'
complete -c landfall -n "__landfall_called ' ui users help'" -f -a add -d 'add an account, and print its password once'
complete -c landfall -n "__landfall_called ' ui users help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui password'" -f
complete -c landfall -n "__landfall_called ' ui password'" -l ask -d 'ask for the password instead of generating one'
complete -c landfall -n "__landfall_called ' ui password'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' ui password'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' ui help'" -f
complete -c landfall -n "__landfall_called ' ui help'" -f -a users -d 'list the accounts of the chat UI, or add one'
complete -c landfall -n "__landfall_called ' ui help'" -f -a password -d 'set a new password for an account that has lost it'
complete -c landfall -n "__landfall_called ' ui help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay'" -f
complete -c landfall -n "__landfall_called ' relay'" -f -a usage -d 'show what relay keys with a budget have used, and what is left'
complete -c landfall -n "__landfall_called ' relay'" -f -a client -d 'print the settings of a client, such as Claude Code, and make its relay key'
complete -c landfall -n "__landfall_called ' relay'" -f -a key -d 'add, replace and remove relay keys'
complete -c landfall -n "__landfall_called ' relay'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay usage'" -f
complete -c landfall -n "__landfall_called ' relay usage'" -l key -d 'show one key only' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay usage'" -l since -d 'sum this many days, today included: 7d' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay usage'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' relay usage'" -l csv -d 'print it as CSV'
complete -c landfall -n "__landfall_called ' relay usage'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay client'" -f
complete -c landfall -n "__landfall_called ' relay client'" -l key -d 'relay key to use, or to make (default: the name of the client)' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay client'" -l budget -d 'tokens of a new key: 200k/day, 3M/month' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay client'" -l model -d 'model (default: one that the key may use, of this server first)' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay client'" -l api -d 'API of the client' -r -f -a 'openai anthropic gemini ollama'
complete -c landfall -n "__landfall_called ' relay client'" -l qr -d 'also print its link as a QR code, for apps with a link'
complete -c landfall -n "__landfall_called ' relay client'" -l json -d 'print them as JSON, also to a file or a pipe'
complete -c landfall -n "__landfall_called ' relay client'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' relay client'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay key'" -f
complete -c landfall -n "__landfall_called ' relay key'" -f -a add -d 'add a relay key to the site, apply the site, and print the key once'
complete -c landfall -n "__landfall_called ' relay key'" -f -a rotate -d 'replace a relay key, and print the new one once'
complete -c landfall -n "__landfall_called ' relay key'" -f -a remove -d 'remove a relay key from the site, and apply the site'
complete -c landfall -n "__landfall_called ' relay key'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay key'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay key add'" -f
complete -c landfall -n "__landfall_called ' relay key add'" -l tokens-per-day -d 'tokens of prompts and answers per day' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay key add'" -l tokens-per-month -d 'tokens per calendar month' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay key add'" -l requests-per-day -d 'requests to models per day' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay key add'" -l models -d 'models that it may use, or prefixes such as text-embedding-*' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay key add'" -l expires -d 'last day on which it is valid: 2027-03-31' -r -f -a ''
complete -c landfall -n "__landfall_called ' relay key add'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' relay key add'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay key rotate'" -f
complete -c landfall -n "__landfall_called ' relay key rotate'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' relay key rotate'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay key remove'" -f
complete -c landfall -n "__landfall_called ' relay key remove'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' relay key remove'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay key help'" -f
complete -c landfall -n "__landfall_called ' relay key help'" -f -a add -d 'add a relay key to the site, apply the site, and print the key once'
complete -c landfall -n "__landfall_called ' relay key help'" -f -a rotate -d 'replace a relay key, and print the new one once'
complete -c landfall -n "__landfall_called ' relay key help'" -f -a remove -d 'remove a relay key from the site, and apply the site'
complete -c landfall -n "__landfall_called ' relay key help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' relay help'" -f
complete -c landfall -n "__landfall_called ' relay help'" -f -a usage -d 'show what relay keys with a budget have used, and what is left'
complete -c landfall -n "__landfall_called ' relay help'" -f -a client -d 'print the settings of a client, such as Claude Code, and make its relay key'
complete -c landfall -n "__landfall_called ' relay help'" -f -a key -d 'add, replace and remove relay keys'
complete -c landfall -n "__landfall_called ' relay help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route'" -f
complete -c landfall -n "__landfall_called ' route'" -f -a show -d 'show the route, without passwords (default)'
complete -c landfall -n "__landfall_called ' route'" -f -a test -d 'check every destination of the route; exits with 11 if one fails'
complete -c landfall -n "__landfall_called ' route'" -f -a on -d 'apply the route of the site'
complete -c landfall -n "__landfall_called ' route'" -f -a off -d 'undo the route on this server; the site keeps it'
complete -c landfall -n "__landfall_called ' route'" -f -a redirect -d 'send all TCP connections of chosen users through the proxy of the site'
complete -c landfall -n "__landfall_called ' route'" -f -a proxychains -d 'install proxychains4 with the proxy of the site'
complete -c landfall -n "__landfall_called ' route'" -f -a import -d 'import proxies from a file or a subscription'
complete -c landfall -n "__landfall_called ' route'" -f -a export -d 'write the imported proxies as a configuration of mihomo or sing-box'
complete -c landfall -n "__landfall_called ' route'" -f -a pac -d 'print a PAC file for browsers and editors'
complete -c landfall -n "__landfall_called ' route'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route show'" -f
complete -c landfall -n "__landfall_called ' route show'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' route show'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route test'" -f
complete -c landfall -n "__landfall_called ' route test'" -l json -d 'print the results as JSON'
complete -c landfall -n "__landfall_called ' route test'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route on'" -f
complete -c landfall -n "__landfall_called ' route on'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route off'" -f
complete -c landfall -n "__landfall_called ' route off'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route redirect'" -f
complete -c landfall -n "__landfall_called ' route redirect'" -l user -d 'the user; replaces the users of earlier calls (repeatable)' -r -f -a ''
complete -c landfall -n "__landfall_called ' route redirect'" -l off -d 'stop the redirection and remove its rules'
complete -c landfall -n "__landfall_called ' route redirect'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route proxychains'" -f
complete -c landfall -n "__landfall_called ' route proxychains'" -l off -d 'remove its settings'
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
complete -c landfall -n "__landfall_called ' route pac'" -f
complete -c landfall -n "__landfall_called ' route pac'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' route help'" -f
complete -c landfall -n "__landfall_called ' route help'" -f -a show -d 'show the route, without passwords (default)'
complete -c landfall -n "__landfall_called ' route help'" -f -a test -d 'check every destination of the route; exits with 11 if one fails'
complete -c landfall -n "__landfall_called ' route help'" -f -a on -d 'apply the route of the site'
complete -c landfall -n "__landfall_called ' route help'" -f -a off -d 'undo the route on this server; the site keeps it'
complete -c landfall -n "__landfall_called ' route help'" -f -a redirect -d 'send all TCP connections of chosen users through the proxy of the site'
complete -c landfall -n "__landfall_called ' route help'" -f -a proxychains -d 'install proxychains4 with the proxy of the site'
complete -c landfall -n "__landfall_called ' route help'" -f -a import -d 'import proxies from a file or a subscription'
complete -c landfall -n "__landfall_called ' route help'" -f -a export -d 'write the imported proxies as a configuration of mihomo or sing-box'
complete -c landfall -n "__landfall_called ' route help'" -f -a pac -d 'print a PAC file for browsers and editors'
complete -c landfall -n "__landfall_called ' route help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' probe'" -f
complete -c landfall -n "__landfall_called ' probe'" -f -a hub -d 'send a request for hosted inference to a model hub'
complete -c landfall -n "__landfall_called ' probe'" -f -a mirrors -d 'test the mirrors of the site, or those of a preset'
complete -c landfall -n "__landfall_called ' probe'" -l proxy -d 'compare with this proxy (default: the route of the site)' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe'" -l resolver -d 'resolver with DNS over HTTPS' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe'" -l echo -d 'service that returns the egress address' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' probe'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' probe hub'" -f
complete -c landfall -n "__landfall_called ' probe hub'" -l url -d 'URL before /models (default: that of the site, else Hugging Face)' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe hub'" -l inputs -d 'input of the model' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe hub'" -l proxy -d 'proxy if direct access fails (default: the route of the site)' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe hub'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' probe hub'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' probe mirrors'" -f
complete -c landfall -n "__landfall_called ' probe mirrors'" -l preset -d 'mirrors of a preset instead' -r -f -a 'china-debian china-ubuntu'
complete -c landfall -n "__landfall_called ' probe mirrors'" -l proxy -d 'proxy if direct access fails (default: the route of the site)' -r -f -a ''
complete -c landfall -n "__landfall_called ' probe mirrors'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' probe mirrors'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' firewall'" -f
complete -c landfall -n "__landfall_called ' firewall'" -f -a list -d 'show which ports are open (default)'
complete -c landfall -n "__landfall_called ' firewall'" -f -a allow -d 'open a port'
complete -c landfall -n "__landfall_called ' firewall'" -f -a deny -d 'close a port that was opened'
complete -c landfall -n "__landfall_called ' firewall'" -f -a apply -d 'apply the settings to both firewalls'
complete -c landfall -n "__landfall_called ' firewall'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' firewall'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' firewall list'" -f
complete -c landfall -n "__landfall_called ' firewall list'" -l json -d 'print them as JSON'
complete -c landfall -n "__landfall_called ' firewall list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' firewall allow'" -f
complete -c landfall -n "__landfall_called ' firewall allow'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' firewall deny'" -f
complete -c landfall -n "__landfall_called ' firewall deny'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' firewall apply'" -f
complete -c landfall -n "__landfall_called ' firewall apply'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' firewall help'" -f
complete -c landfall -n "__landfall_called ' firewall help'" -f -a list -d 'show which ports are open (default)'
complete -c landfall -n "__landfall_called ' firewall help'" -f -a allow -d 'open a port'
complete -c landfall -n "__landfall_called ' firewall help'" -f -a deny -d 'close a port that was opened'
complete -c landfall -n "__landfall_called ' firewall help'" -f -a apply -d 'apply the settings to both firewalls'
complete -c landfall -n "__landfall_called ' firewall help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' access'" -f
complete -c landfall -n "__landfall_called ' access'" -f -a list -d 'show each device: address, source, last connection (default)'
complete -c landfall -n "__landfall_called ' access'" -f -a add -d 'make a configuration for a device, and show it once'
complete -c landfall -n "__landfall_called ' access'" -f -a remove -d 'end the access of a device for good'
complete -c landfall -n "__landfall_called ' access'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' access'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' access list'" -f
complete -c landfall -n "__landfall_called ' access list'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' access list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' access add'" -f
complete -c landfall -n "__landfall_called ' access add'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' access add'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' access remove'" -f
complete -c landfall -n "__landfall_called ' access remove'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' access remove'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' access remove'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' access help'" -f
complete -c landfall -n "__landfall_called ' access help'" -f -a list -d 'show each device: address, source, last connection (default)'
complete -c landfall -n "__landfall_called ' access help'" -f -a add -d 'make a configuration for a device, and show it once'
complete -c landfall -n "__landfall_called ' access help'" -f -a remove -d 'end the access of a device for good'
complete -c landfall -n "__landfall_called ' access help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' confirm'" -f
complete -c landfall -n "__landfall_called ' confirm'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' tls'" -f
complete -c landfall -n "__landfall_called ' tls'" -f -a status -d 'show the certificate (default)'
complete -c landfall -n "__landfall_called ' tls'" -f -a renew -d 'renew the certificate if it is due'
complete -c landfall -n "__landfall_called ' tls'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' tls'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' tls status'" -f
complete -c landfall -n "__landfall_called ' tls status'" -l json -d 'print its details as JSON'
complete -c landfall -n "__landfall_called ' tls status'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' tls renew'" -f
complete -c landfall -n "__landfall_called ' tls renew'" -l force -d 'renew it now'
complete -c landfall -n "__landfall_called ' tls renew'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' tls help'" -f
complete -c landfall -n "__landfall_called ' tls help'" -f -a status -d 'show the certificate (default)'
complete -c landfall -n "__landfall_called ' tls help'" -f -a renew -d 'renew the certificate if it is due'
complete -c landfall -n "__landfall_called ' tls help'" -f -a help -d 'display help for command'
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
complete -c landfall -n "__landfall_called ' engines'" -f
complete -c landfall -n "__landfall_called ' engines'" -f -a list -d 'show the state of each server with Ollama (default)'
complete -c landfall -n "__landfall_called ' engines'" -f -a show -d 'print what the site of a node needs; on a node, what the first server needs'
complete -c landfall -n "__landfall_called ' engines'" -f -a drain -d 'give a server no new requests, and wait until it is idle'
complete -c landfall -n "__landfall_called ' engines'" -f -a resume -d 'give a drained server requests again'
complete -c landfall -n "__landfall_called ' engines'" -f -a test -d 'test a server: certificate, models, one generation'
complete -c landfall -n "__landfall_called ' engines'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' engines'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' engines list'" -f
complete -c landfall -n "__landfall_called ' engines list'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' engines list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' engines show'" -f
complete -c landfall -n "__landfall_called ' engines show'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' engines show'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' engines drain'" -f
complete -c landfall -n "__landfall_called ' engines drain'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' engines drain'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' engines resume'" -f
complete -c landfall -n "__landfall_called ' engines resume'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' engines resume'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' engines test'" -f
complete -c landfall -n "__landfall_called ' engines test'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' engines test'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' engines help'" -f
complete -c landfall -n "__landfall_called ' engines help'" -f -a list -d 'show the state of each server with Ollama (default)'
complete -c landfall -n "__landfall_called ' engines help'" -f -a show -d 'print what the site of a node needs; on a node, what the first server needs'
complete -c landfall -n "__landfall_called ' engines help'" -f -a drain -d 'give a server no new requests, and wait until it is idle'
complete -c landfall -n "__landfall_called ' engines help'" -f -a resume -d 'give a drained server requests again'
complete -c landfall -n "__landfall_called ' engines help'" -f -a test -d 'test a server: certificate, models, one generation'
complete -c landfall -n "__landfall_called ' engines help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node'" -f
complete -c landfall -n "__landfall_called ' node'" -f -a list -d 'show each node: connection, Ollama, Docker (default)'
complete -c landfall -n "__landfall_called ' node'" -f -a token -d 'make a token with which one server can join, on the first server'
complete -c landfall -n "__landfall_called ' node'" -f -a join -d 'make this engine node join; asks for the token'
complete -c landfall -n "__landfall_called ' node'" -f -a drain -d 'give a node no new requests, wait until it is idle, and stop its Ollama'
complete -c landfall -n "__landfall_called ' node'" -f -a resume -d 'start Ollama on a drained node again'
complete -c landfall -n "__landfall_called ' node'" -f -a remove -d 'take a node out of the Swarm for good'
complete -c landfall -n "__landfall_called ' node'" -f -a leave -d 'make this engine node leave the Swarm'
complete -c landfall -n "__landfall_called ' node'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node list'" -f
complete -c landfall -n "__landfall_called ' node list'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' node list'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node token'" -f
complete -c landfall -n "__landfall_called ' node token'" -l yes -d 'do not ask, also if the node has joined'
complete -c landfall -n "__landfall_called ' node token'" -l json -d 'print it as JSON'
complete -c landfall -n "__landfall_called ' node token'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node join'" -f
complete -c landfall -n "__landfall_called ' node join'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' node join'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node drain'" -f
complete -c landfall -n "__landfall_called ' node drain'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' node drain'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node resume'" -f
complete -c landfall -n "__landfall_called ' node resume'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' node resume'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node remove'" -f
complete -c landfall -n "__landfall_called ' node remove'" -l json -d 'print the result as JSON'
complete -c landfall -n "__landfall_called ' node remove'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' node remove'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node leave'" -f
complete -c landfall -n "__landfall_called ' node leave'" -l yes -d 'do not ask for confirmation'
complete -c landfall -n "__landfall_called ' node leave'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' node help'" -f
complete -c landfall -n "__landfall_called ' node help'" -f -a list -d 'show each node: connection, Ollama, Docker (default)'
complete -c landfall -n "__landfall_called ' node help'" -f -a token -d 'make a token with which one server can join, on the first server'
complete -c landfall -n "__landfall_called ' node help'" -f -a join -d 'make this engine node join; asks for the token'
complete -c landfall -n "__landfall_called ' node help'" -f -a drain -d 'give a node no new requests, wait until it is idle, and stop its Ollama'
complete -c landfall -n "__landfall_called ' node help'" -f -a resume -d 'start Ollama on a drained node again'
complete -c landfall -n "__landfall_called ' node help'" -f -a remove -d 'take a node out of the Swarm for good'
complete -c landfall -n "__landfall_called ' node help'" -f -a leave -d 'make this engine node leave the Swarm'
complete -c landfall -n "__landfall_called ' node help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' stack'" -f
complete -c landfall -n "__landfall_called ' stack'" -f -a render -d 'print the stack file of the Swarm, as the first server deploys it'
complete -c landfall -n "__landfall_called ' stack'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' stack'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' stack render'" -f
complete -c landfall -n "__landfall_called ' stack render'" -l swarm -d 'that of the Swarm; required, because `landfall plan` shows the other files'
complete -c landfall -n "__landfall_called ' stack render'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' stack help'" -f
complete -c landfall -n "__landfall_called ' stack help'" -f -a render -d 'print the stack file of the Swarm, as the first server deploys it'
complete -c landfall -n "__landfall_called ' stack help'" -f -a help -d 'display help for command'
complete -c landfall -n "__landfall_called ' doctor'" -f
complete -c landfall -n "__landfall_called ' doctor'" -l fix -d 'apply the fixes that are safe; asks for each'
complete -c landfall -n "__landfall_called ' doctor'" -l yes -d 'with --fix: do not ask'
complete -c landfall -n "__landfall_called ' doctor'" -l symptom -d 'print the remedies for what you see' -r -f -a 'list browser-403 browser-502 browser-no-answer chat-no-model no-landfall ssh-locked-out chat-sign-in editor-code editor-ai-reply editor-login-spins'
complete -c landfall -n "__landfall_called ' doctor'" -l json -d 'print the findings, or the symptom, as JSON'
complete -c landfall -n "__landfall_called ' doctor'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' smoke'" -f
complete -c landfall -n "__landfall_called ' smoke'" -l json -d 'print the results as JSON'
complete -c landfall -n "__landfall_called ' smoke'" -l junit -d 'also write the results as JUnit XML' -r -F
complete -c landfall -n "__landfall_called ' smoke'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' plan'" -f
complete -c landfall -n "__landfall_called ' plan'" -l json -d 'print the plan as JSON'
complete -c landfall -n "__landfall_called ' plan'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' first-boot'" -f
complete -c landfall -n "__landfall_called ' first-boot'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' uninstall'" -f
complete -c landfall -n "__landfall_called ' uninstall'" -l delete-data -d 'also delete chats, documents, models, keys and secrets'
complete -c landfall -n "__landfall_called ' uninstall'" -l yes -d 'do not ask; not enough for --delete-data'
complete -c landfall -n "__landfall_called ' uninstall'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' completion'" -f
complete -c landfall -n "__landfall_called ' completion'" -f -a bash -d ''
complete -c landfall -n "__landfall_called ' completion'" -f -a zsh -d ''
complete -c landfall -n "__landfall_called ' completion'" -f -a fish -d ''
complete -c landfall -n "__landfall_called ' completion'" -l help -d 'display help for command'
complete -c landfall -n "__landfall_called ' help'" -f
complete -c landfall -n "__landfall_called ' help'" -f -a status -d 'show the state of this server, also as an exit code'
complete -c landfall -n "__landfall_called ' help'" -f -a report -d 'show URLs, fingerprints, models and next steps'
complete -c landfall -n "__landfall_called ' help'" -f -a logs -d 'show the logs of components and units, merged by time'
complete -c landfall -n "__landfall_called ' help'" -f -a restart -d 'restart a component, or all, and wait until they are healthy'
complete -c landfall -n "__landfall_called ' help'" -f -a stop -d 'stop a component until it is started'
complete -c landfall -n "__landfall_called ' help'" -f -a start -d 'start a component, or all, and wait until they are healthy'
complete -c landfall -n "__landfall_called ' help'" -f -a site -d 'show and change the site of this server'
complete -c landfall -n "__landfall_called ' help'" -f -a update -d 'install newer releases, and go back'
complete -c landfall -n "__landfall_called ' help'" -f -a models -d 'Ollama'\''s models: list, download and delete them; which ones fit'
complete -c landfall -n "__landfall_called ' help'" -f -a alert -d 'show and test the targets of alerts'
complete -c landfall -n "__landfall_called ' help'" -f -a backup -d 'make backups of chats, documents and settings'
complete -c landfall -n "__landfall_called ' help'" -f -a restore -d 'bring a backup back, to this server or to a new one'
complete -c landfall -n "__landfall_called ' help'" -f -a export -d 'write all chats and documents into a new folder'
complete -c landfall -n "__landfall_called ' help'" -f -a credentials -d 'show the passwords and keys that were generated here'
complete -c landfall -n "__landfall_called ' help'" -f -a secret -d 'set, list and replace secrets, such as provider keys and access codes'
complete -c landfall -n "__landfall_called ' help'" -f -a ui -d 'list and add accounts of the chat UI, and set a lost password'
complete -c landfall -n "__landfall_called ' help'" -f -a relay -d 'connect clients; show what relay keys have used; change keys'
complete -c landfall -n "__landfall_called ' help'" -f -a route -d 'show and check the route of this server, and turn it off and on'
complete -c landfall -n "__landfall_called ' help'" -f -a probe -d 'test which route reaches the hosted providers'
complete -c landfall -n "__landfall_called ' help'" -f -a firewall -d 'show, open and close ports, in UFW and for containers'
complete -c landfall -n "__landfall_called ' help'" -f -a access -d 'devices that reach the chat through WireGuard: add, show and remove them'
complete -c landfall -n "__landfall_called ' help'" -f -a confirm -d 'confirm a pending change; run it in a new login'
complete -c landfall -n "__landfall_called ' help'" -f -a tls -d 'show and renew the certificate'
complete -c landfall -n "__landfall_called ' help'" -f -a editor -d 'proxy settings of code editors: configure, check, remove'
complete -c landfall -n "__landfall_called ' help'" -f -a engines -d 'several servers with Ollama behind HAProxy: show, drain and test them'
complete -c landfall -n "__landfall_called ' help'" -f -a node -d 'nodes of a Docker Swarm: let a server join, show, drain and remove it'
complete -c landfall -n "__landfall_called ' help'" -f -a stack -d 'print what runs on the nodes of a Swarm'
complete -c landfall -n "__landfall_called ' help'" -f -a doctor -d 'find known faults of this server, with the remedy for each'
complete -c landfall -n "__landfall_called ' help'" -f -a smoke -d 'run the end-to-end tests on this server'
complete -c landfall -n "__landfall_called ' help'" -f -a plan -d 'show what a first boot would do; changes nothing'
complete -c landfall -n "__landfall_called ' help'" -f -a first-boot -d 'set up this server, or what is missing'
complete -c landfall -n "__landfall_called ' help'" -f -a uninstall -d 'remove Landfall from this server; keeps the chats and models unless told otherwise'
complete -c landfall -n "__landfall_called ' help'" -f -a completion -d 'print a completion script for your shell'
complete -c landfall -n "__landfall_called ' help'" -f -a help -d 'display help for command'
