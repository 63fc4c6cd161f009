import { swarmPrefix } from './names.ts';

/** A server with Ollama, as HAProxy sees it. */
export interface EngineState {
  readonly name: string;
  /** Its name in HAProxy's commands, and its address and port; empty if HAProxy does not find it. */
  readonly server: string;
  readonly address?: string;
  /** Servers of other backends with its address, which have a state of their own: only in a Swarm. */
  readonly others?: readonly string[];
  /** `draining`: it gets no new requests. */
  readonly state: 'up' | 'down' | 'draining';
  /** Why it is down, as HAProxy's last check says, or why HAProxy does not find it. */
  readonly reason?: string;
  /** Requests that it may work on at the same time. */
  readonly slots: number;
  /** Requests that it works on, and those that wait for it alone. */
  readonly inFlight: number;
  readonly waiting: number;
  /** Responses with a status of 200 to 299 that began in the last minute. */
  readonly perMinute: number;
  /**
   * Mean milliseconds of its last answers without their time in the queue: up to 1,024, since HAProxy
   * started. Undefined before the first one.
   */
  readonly answerTime?: number;
  /** Since HAProxy started: chats, and chats and embeddings. */
  readonly chats: number;
  readonly answered: number;
  readonly failed: number;
  /** Name of its table and its backend, `generate-1`. */
  readonly backend: string;
  /** Number of the server in its backend, as in the table of chats. */
  readonly id: number;
}

/** What HAProxy reports. */
export interface BalancerState {
  readonly servers: readonly EngineState[];
  /** Requests that wait for any server. */
  readonly waiting: number;
}

/**
 * Parses HAProxy's `show stat` (management guide, 9.1), and below it the table of answers.
 * @throws Error for text that is not such a table
 */
export function parseStates(text: string): BalancerState {
  const [statistics = '', table = ''] = text.split(/^# table: .*$/m);
  const rows = rowsOf(statistics);
  const rates = ratesOf(table);
  const find = (backend: string, name: string) =>
    rows.find((row) => row.pxname === backend && row.svname === name);
  const backends = rows.filter(({ svname, pxname = '' }) => {
    return svname === 'BACKEND' && /^(?:generate|embed)-/.test(pxname);
  });
  const servers = rows.filter(
    (row) => row.pxname?.startsWith('generate-') && row.svname !== 'BACKEND' && !isUnused(row),
  );
  return {
    waiting: sum(backends, 'qcur'),
    servers: servers.map((row) => {
      const { pxname: backend = '', svname: name = '' } = row;
      const embed = backend.replace('generate', 'embed');
      // HAProxy gives each backend its own order of the addresses in DNS.
      const others = isSwarmServer(name)
        ? rows.filter(
            (each) => each !== row && isSwarmServer(each.svname) && each.addr === row.addr,
          )
        : undefined;
      const embedding = others ? others.find(({ pxname }) => pxname === embed) : find(embed, name);
      const both = [row, embedding ?? {}];
      const state = stateOf(row.status ?? '');
      const reason = reasonOf(row);
      return {
        ...{ name, server: name, state, backend, id: Number(row.sid) },
        ...(row.addr ? { address: row.addr } : {}),
        ...(others ? { others: others.map(({ pxname, svname }) => `${pxname}/${svname}`) } : {}),
        ...(state === 'down' && reason !== '' ? { reason } : {}),
        slots: Number(row.slim),
        inFlight: sum(both, 'scur'),
        waiting: sum(both, 'qcur'),
        ...answerTimeOf(row),
        perMinute: rates.get(name) ?? 0,
        chats: sum([row], 'hrsp_2xx'),
        answered: sum(both, 'hrsp_2xx'),
        failed: sum(both, 'hrsp_5xx') + sum(both, 'econ') + sum(both, 'eresp'),
      };
    }),
  };
}

/** A server for nodes of a Swarm to which no node belongs. */
function isUnused({ svname = '', status = '' }: Row): boolean {
  return isSwarmServer(svname) && status.startsWith('MAINT');
}

/** Returns whether HAProxy has found this server in DNS. */
export function isSwarmServer(name = ''): boolean {
  return new RegExp(`^${swarmPrefix}\\d+$`).test(name);
}

/** HAProxy's mean times are those of the last 1,024 requests, and 0 before the first one. */
function answerTimeOf({ ttime, qtime }: Row): Pick<EngineState, 'answerTime'> {
  const total = Number(ttime ?? 0);
  return total > 0 ? { answerTime: Math.max(0, total - Number(qtime ?? 0)) } : {};
}

/** Lines such as `0x7f01: key=gpu1 use=0 exp=59 shard=0 gpc0_rate(60000)=3`. */
function ratesOf(table: string): ReadonlyMap<string, number> {
  const lines = table.matchAll(/ key=([a-z0-9-]+) .*gpc0_rate\(60000\)=(\d+)/g);
  return new Map([...lines].map(([, name = '', rate]) => [name, Number(rate)]));
}

/** The comment of a failed check says what it expected. */
function reasonOf({ check_desc, last_chk }: Row): string {
  const text = [check_desc, last_chk].filter(Boolean).join(': ');
  return text.replace(/^.* comment: /, '');
}

/** `UP 1/2` is a healthy server after a failed check, `DOWN 1/2` one that is not yet back. */
function stateOf(status: string): EngineState['state'] {
  if (status.startsWith('DRAIN')) return 'draining';
  return status.startsWith('UP') ? 'up' : 'down';
}

type Row = Readonly<Record<string, string | undefined>>;

function rowsOf(text: string): Row[] {
  const [head, ...lines] = text.trim().split('\n');
  if (!head?.startsWith('# pxname,')) throw new Error('HAProxy printed no table of its servers');
  const names = head.slice(2).split(',');
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  });
}

/** Texts of checks are quoted if they have commas or quotes (RFC 4180). */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

function sum(rows: readonly Row[], column: string): number {
  return rows.reduce((total, row) => total + Number(row[column] ?? 0), 0);
}
