/** An output or a file that is searched for secrets. */
export interface SearchedOutput {
  /** Command on the server that prints it. */
  readonly command: string;
  /** Text that it always contains; default: the mark of the test. */
  readonly known?: string;
}

/** Runs a command as an unprivileged user. */
export const unprivileged = 'setpriv --reuid 65534 --regid 65534 --clear-groups';

/** Outputs and files that may leak a secret by mistake. */
export const searchedOutputs: Readonly<Record<string, SearchedOutput>> = {
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
  'ps with environments, as an unprivileged user': {
    command: `${unprivileged} ps auxwwe`,
  },
  'the journal': { command: 'journalctl --no-pager --output=export --boot' },
  'output of Landfall': {
    command: `cat /var/lib/landfall/*.txt /var/lib/landfall/*.json* /run/landfall/*.json
      landfall report; landfall status; landfall plan; landfall tls status`,
    known: 'chat.example.com',
  },
  'logs of cloud-init, apt and gateway': {
    command: 'cat /var/log/cloud-init*.log /var/log/apt/*.log /var/lib/landfall/gateway-log/*.log',
  },
  'the user-data that cloud-init keeps': {
    command: 'cat /var/lib/cloud/instance/user-data.txt',
    known: 'chat.example.com',
  },
};
