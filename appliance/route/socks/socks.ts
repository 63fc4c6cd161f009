import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { isOnLoopback } from '#contract/site/network/socks.ts';
import type { Site } from '#contract/site/site.ts';
import { environmentFile } from '../../host/environment-file.ts';
import type { Host } from '../../host/host.ts';
import { serverAddresses } from '../../host/outside/addresses.ts';
import { makeSecret, readOrMakeSecret, readSecret } from '../../host/secret-file.ts';
import { type Service, unitFileOf } from '../../host/service.ts';
import { socksPassword } from '../../host/socks-password.ts';
import { type Measure, serviceMeasure } from '../../stage/measure.ts';
import type { Context } from '../../stage/stage.ts';
import { renderFlushDropIn } from '../flush-drop-in.ts';
import { hardenedService } from '../hardened-service.ts';
import { guardTable, guardUser, renderGuard } from './render-guard.ts';

/** Milliseconds. The service listens some milliseconds after systemd reports its start. */
const [timeout, pause, attempts] = [3000, 200, 10];
/** RFC 1928, 3: version 5, one method, and its number. */
const offerNoLogin = Buffer.from([5, 1, 0]);
/** RFC 1928, 3: no acceptable methods. */
const refused = 0xff;

/**
 * Verifies that the SOCKS5 server of the site listens, and that it rejects clients without a login
 * unless it listens on loopback. A missing address is a warning: the server starts when it exists.
 * @throws LandfallError ROUTE_BLOCKED
 */
export async function proveSocks({ host, site: { socks }, report }: Context): Promise<void> {
  if (!socks) return;
  const { listen, port } = socks;
  const endpoint = endpointOf(socks);
  if (!isOnLoopback(socks) && !(await hasAddress(host, listen))) {
    const text = `the SOCKS5 server waits for its address ${listen}, which this server does not have`;
    return report.warn({ kind: 'route', subject: 'socks', text });
  }
  const method = await host.outside.measure(() => firstAnswer(listen, port));
  if (method === (isOnLoopback(socks) ? 0 : refused)) return;
  if (method !== undefined) {
    throw new LandfallError('ROUTE_BLOCKED', `${endpoint} is not the SOCKS5 server of the site`, {
      hint: 'Stop the other program at this port, or set another socks.port.',
      retriable: false,
    });
  }
  throw new LandfallError('ROUTE_BLOCKED', `the SOCKS5 server does not listen at ${endpoint}`, {
    hint: `Check: sudo systemctl status ${socksUnit}. Another program may use the port.`,
  });
}

async function hasAddress(host: Host, listen: string): Promise<boolean> {
  const { v4, v6 } = await serverAddresses(host);
  return [...v4, ...v6].includes(listen);
}

async function firstAnswer(host: string, port: number): Promise<number | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await sleep(pause);
    const method = await chosenMethod(host, port);
    if (method !== undefined) return method;
  }
  return undefined;
}

/** Returns the method that the server chooses; -1 for another protocol; undefined without a reply. */
async function chosenMethod(host: string, port: number): Promise<number | undefined> {
  const socket = connect({ host, port, timeout });
  try {
    return await new Promise<number | undefined>((resolve) => {
      socket
        .on('connect', () => socket.write(offerNoLogin))
        .on('data', (reply: Buffer) => resolve(reply[0] === 5 ? (reply[1] ?? -1) : -1))
        .on('timeout', () => resolve(undefined))
        .on('error', () => resolve(undefined))
        .on('close', () => resolve(undefined));
    });
  } finally {
    socket.destroy();
  }
}

const dropInFile = 'etc/systemd/system/nftables.service.d/landfall-socks.conf';

interface Input {
  readonly host: Host;
  readonly site: Pick<Site, 'socks'>;
}

/** Returns the SOCKS5 server of the site. Its packages and its password stay when it is removed. */
export async function socksService({ host, site: { socks } }: Input): Promise<Service> {
  const password = needsPassword(socks) ? await readSecret(host, socksPassword.name) : undefined;
  return {
    packages: ['nftables', 'microsocks'],
    files: [
      {
        path: loginFile,
        text: needsPassword(socks) ? renderLogin(socks, password ?? '') : undefined,
        mode: 0o600,
      },
      { path: guardFile, text: renderGuard() },
      { path: dropInFile, text: renderGuardDropIn() },
      { path: unitFileOf(socksUnit), text: socks && renderSocksUnit(socks) },
    ],
    // Inactive while its address does not exist: systemd starts it again every few seconds.
    units: [{ name: socksUnit, restart: 'always', mayWait: true }],
    summary: socks ? `start a SOCKS5 server at ${endpointOf(socks)}` : '',
    unwanted: socks ? undefined : 'remove the SOCKS5 server',
  };
}

const measure = serviceMeasure(socksService, proveSocks);

/** Installs and starts the SOCKS5 server of the site, or removes it. */
export const socksMeasure: Measure = {
  ...measure,
  apply: async (context) => {
    const { name, generate } = socksPassword;
    if (needsPassword(context.site.socks)) {
      await readOrMakeSecret(context.host, name, () => makeSecret(generate));
    }
    await measure.apply(context);
  },
};

function needsPassword(socks: Site['socks']): socks is NonNullable<Site['socks']> {
  return socks !== undefined && !isOnLoopback(socks);
}

const socksUnit = 'landfall-socks.service';
/** The login, so only root can read it. */
const loginFile = 'etc/landfall/socks.env';
const guardFile = 'etc/landfall/socks.nft';
/** systemd creates this folder before the service starts, for its user, and removes it afterwards. */
const runtimeFolder = 'landfall-socks';

/** Returns address and port of the SOCKS5 server. */
function endpointOf({ listen, port }: NonNullable<Site['socks']>): string {
  return listen.includes(':') ? `[${listen}]:${port}` : `${listen}:${port}`;
}

/** Loads the rules with the current user ID. systemd reads `$$` as `$` and `%%` as `%`. */
const loadGuard = `exec nft --define ${guardUser}=$$(stat -L -c %%u /run/${runtimeFolder}) --file /${guardFile}`;

/** Renders the login of the SOCKS5 server as variables. */
function renderLogin({ username }: NonNullable<Site['socks']>, password: string): string {
  return environmentFile({ SOCKS_USERNAME: username, SOCKS_PASSWORD: password });
}

/**
 * Renders the unit of microsocks: a dynamic user without privileges, whose rules load before it
 * starts. microsocks reads its login from arguments only, and overwrites them before it accepts
 * connections. Its log would contain the destinations of all users. It is restarted until its address
 * exists, for example that of WireGuard.
 */
function renderSocksUnit(socks: NonNullable<Site['socks']>): string {
  const login = isOnLoopback(socks) ? '' : ' -u ${SOCKS_USERNAME} -P ${SOCKS_PASSWORD}';
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: SOCKS5 server for your own devices
After=network.target nftables.service
StartLimitIntervalSec=0

[Service]
Type=exec
DynamicUser=yes
RuntimeDirectory=${runtimeFolder}
RuntimeDirectoryMode=0700
${isOnLoopback(socks) ? '' : `EnvironmentFile=/${loginFile}\n`}ExecStartPre=+/bin/sh -c '${loadGuard}'
ExecStart=/usr/bin/microsocks -i ${socks.listen} -p ${socks.port}${login}
ExecStopPost=+-/usr/sbin/nft delete table ${guardTable.join(' ')}
StandardOutput=null
StandardError=null
Restart=always
RestartSec=5
LimitNOFILE=4096
TasksMax=512
MemoryMax=128M
${hardenedService('AF_UNIX AF_INET AF_INET6 AF_NETLINK')}

[Install]
WantedBy=multi-user.target
`;
}

/** Renders the drop-in of nftables.service. */
function renderGuardDropIn(): string {
  return renderFlushDropIn(
    'the rules of the SOCKS5 server',
    `test ! -e /run/${runtimeFolder} || ${loadGuard}`,
  );
}
