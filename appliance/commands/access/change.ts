import { LandfallError } from '#contract/errors.ts';
import { type Access, deviceAddress, deviceName } from '#contract/site/network/access.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import {
  allowedDevices,
  ensureKey,
  freeNumber,
  readDevices,
  writeDevices,
} from '../../server/access/devices.ts';
import { prepareTunnel, renderDevice } from '../../server/access/tunnel.ts';
import type { Host } from '../../server/host/host.ts';
import { withChangeLock } from '../../server/host/lock/run-lock.ts';
import { publicAddress, serverAddresses } from '../../server/host/outside/addresses.ts';
import { makeKey, publicKeyOf } from '../../server/host/wireguard/key.ts';
import type { Context } from '../../server/stage/stage.ts';
import { updateReport } from '../../stages/report/stored-report.ts';
import { askFor } from '../ask-yes.ts';
import type { ChangeFlags, JsonFlag } from '../command.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

type AccessContext = Pick<Context, 'host' | 'site'>;

/** A new device, and its configuration for a WireGuard program. */
export interface NewDevice {
  readonly name: string;
  readonly address: string;
  /** Contains its private key, which the server does not store. */
  readonly configuration: string;
}

/**
 * Makes a configuration for a device, and prints it once.
 * @throws LandfallError USAGE for an invalid or a known name, and without a tunnel
 */
export async function addDevice(
  context: AccessContext,
  name: string,
  { json = false }: JsonFlag,
): Promise<void> {
  const made = await withChangeLock(context.host, () => makeDevice(context, name));
  if (json) return console.log(JSON.stringify(made, null, 2));
  await printDevice(made);
}

/** Makes a device. WireGuard accepts its key when this returns. @throws LandfallError USAGE */
export async function makeDevice({ host, site }: AccessContext, name: string): Promise<NewDevice> {
  const access = expectAccess(site);
  if (!deviceName.test(name)) {
    throw usage(
      { en: 'the name of a device is short and in lower case', zh: '设备的名称要短，且为小写' },
      { en: 'Such as: sudo landfall access add phone', zh: '例如：sudo landfall access add phone' },
    );
  }
  if ((await allowedDevices(host, access)).some((device) => device.name === name)) {
    throw usage(
      { en: `there is already a device ${name}`, zh: `已有名为 ${name} 的设备` },
      {
        en: `Use another name, or remove it first: sudo landfall access remove ${name}`,
        zh: `换一个名称，或先移除它：sudo landfall access remove ${name}`,
      },
    );
  }
  const endpoint = access.address ?? (await outerAddress(host));
  const devices = (await readDevices(host)).filter((device) => device.name !== name);
  const [key, number] = [makeKey(), freeNumber(devices)];
  const added = new Date().toISOString();
  await writeDevices(host, [...devices, { name, number, publicKey: publicKeyOf(key), added }]);
  await prepareTunnel(host, site);
  await updateReport(host, { needsDevice: false });
  const address = deviceAddress(access, number);
  const server = { key: await ensureKey(host), host: endpoint };
  return { name, address, configuration: renderDevice(access, { key, address }, server) };
}

/** Prints a configuration, and on a terminal a QR code of it. */
async function printDevice({ name, configuration }: NewDevice): Promise<void> {
  const isTerminal = process.stdout.isTTY;
  if (isTerminal) {
    const { renderUnicodeCompact } = await import('uqr');
    console.log(
      say('Scan this with the WireGuard app of the device:', '用设备上的 WireGuard 应用扫描：'),
    );
    console.log(`\n${renderUnicodeCompact(configuration, { border: 2 })}\n`);
  }
  console.log(
    say(
      `Or save this as ${name}.conf there. It contains the key of the device, and is shown only now:`,
      `或在设备上保存为 ${name}.conf。其中含有设备的密钥，只显示这一次：`,
    ),
  );
  console.log(`\n${configuration}`);
}

/**
 * Ends the access of a device that `landfall access add` has made.
 * @throws LandfallError USAGE for an unknown name, and for a device of the site
 */
export async function removeDevice(
  { host, site }: AccessContext,
  name: string,
  { yes = false, json = false }: ChangeFlags,
): Promise<void> {
  const access = expectAccess(site);
  if (access.peers.some((peer) => peer.name === name)) {
    throw usage(
      { en: `the site has the device ${name}`, zh: `设备 ${name} 在站点中` },
      {
        en: 'Remove it from access.peers: sudo landfall site edit',
        zh: '从 access.peers 中删除它：sudo landfall site edit',
      },
    );
  }
  if (!(await readDevices(host)).some((device) => device.name === name)) {
    throw usage(
      { en: `there is no device ${name}`, zh: `没有名为 ${name} 的设备` },
      { en: 'See: sudo landfall access', zh: '查看：sudo landfall access' },
    );
  }
  const question = say(
    `${name} can no longer reach the chat. Continue? [y/N] `,
    `${name} 将无法再访问聊天。继续吗？[y/N] `,
  );
  if (!yes && !(await askFor('y', question, '--yes'))) {
    return console.log(say('Nothing was changed.', '没有做任何更改。'));
  }
  await withChangeLock(host, async () => {
    await writeDevices(
      host,
      (await readDevices(host)).filter((device) => device.name !== name),
    );
    await prepareTunnel(host, site);
  });
  if (json) return console.log(JSON.stringify({ name, removed: true }));
  console.log(say(`${name} is removed.`, `已移除 ${name}。`));
}

/** Returns the tunnel of a site. @throws LandfallError USAGE without one */
export function expectAccess({ access }: Pick<Site, 'access'>): Access {
  if (access) return access;
  throw usage(
    { en: 'the site has no access', zh: '站点没有设置 access' },
    {
      en: 'Closes all public ports but SSH: sudo landfall site set access.mode wireguard',
      zh: 'sudo landfall site set access.mode wireguard（会关闭除 SSH 以外的所有公网端口）',
    },
  );
}

async function outerAddress(host: Host): Promise<string> {
  const own = await serverAddresses(host);
  const found = (await publicAddress(host, own)) ?? own.v4[0] ?? own.v6[0];
  if (found !== undefined) return found;
  throw usage(
    {
      en: 'this server has no address that a device could use',
      zh: '这台服务器没有设备可用的地址',
    },
    {
      en: 'Set it: sudo landfall site set access.address <address>',
      zh: '请设置：sudo landfall site set access.address <地址>',
    },
  );
}

type Both = Readonly<Record<'en' | 'zh', string>>;

function usage(message: Both, hint: Both): LandfallError {
  return new LandfallError('USAGE', inLanguage(message), { hint });
}
