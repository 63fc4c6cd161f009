#!/bin/sh
# `ollama ls` was also the health check of Ollama: Node takes more than ten seconds to start on an emulated CPU.
case $1 in
  ls | list) ;;
  *) exec /usr/local/bin/node /usr/lib/ollama/ollama.mjs "$@" ;;
esac
address=${OLLAMA_HOST:-127.0.0.1}
address=${address#http://}
case $address in :*) address=127.0.0.1$address ;; esac
case $address in *:[0-9]*) ;; *) address=$address:11434 ;; esac
if ! models=$(busybox wget -Y off -q -O - "http://$address/api/tags"); then
  echo 'Error: could not connect to ollama app, is it running?' >&2
  exit 1
fi
echo 'NAME                     SIZE'
echo "$models" | busybox sed 's/{"name":/\n&/g' | busybox sed -n \
  's/{"name":"\([^"]*\)",.*"size":\([0-9]*\),.*/\1  \2 B/p'
