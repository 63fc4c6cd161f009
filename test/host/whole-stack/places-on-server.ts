/** A place where people and programs find what they look for, by its name. */
export interface Place {
  /** Prints all of it, on the server. */
  readonly command: string;
  /** What is certain to be in it; the mark that the test has left when not given. */
  readonly known?: string;
}

/** Runs a command as somebody without any rights. */
export const asNobody = 'setpriv --reuid nobody --regid nogroup --clear-groups';

/** Where a secret could get to without anybody meaning it. */
export const placesOnServer: Readonly<Record<string, Place>> = {
  'docker inspect': {
    command: 'docker inspect $(docker ps -aq; docker image ls -q; docker network ls -q)',
    known: 'landfall-gateway',
  },
  'docker history': {
    command: 'for i in $(docker image ls -q); do docker history --no-trunc $i; done',
    known: 'CREATED BY',
  },
  'docker logs': {
    command: 'for c in $(docker ps -aq); do docker logs $c 2>&1 || true; done',
  },
  ps: { command: 'ps auxww', known: 'sleep 3000' },
  'ps with environments, as others see it': {
    command: `${asNobody} ps auxwwe`,
  },
  'the journal': { command: 'journalctl --no-pager --output=export --boot' },
  'what Landfall says': {
    command: `cat /var/lib/landfall/*.txt /var/lib/landfall/*.json* /run/landfall/*.json
      landfall report; landfall status; landfall plan; landfall tls status`,
    known: 'chat.example.com',
  },
  'logs of cloud-init, apt and gateway': {
    command: 'cat /var/log/cloud-init*.log /var/log/apt/*.log /var/lib/landfall/gateway-log/*.log',
  },
  'the user-data that it keeps': {
    command: 'cat /var/lib/cloud/instance/user-data.txt',
    known: 'chat.example.com',
  },
};
