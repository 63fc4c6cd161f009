import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { dockerMajor, removeNode, workerToken } from '../../nodes/swarm/docker-swarm.ts';
import { inviteMember } from '../../nodes/swarm/first-server.ts';
import { freeAddress, memberName, ownKey } from '../../nodes/swarm/members.ts';
import { formatToken } from '../../nodes/swarm/token.ts';
import { withChangeLock } from '../../server/host/lock/run-lock.ts';
import { publicAddress, serverAddresses } from '../../server/host/outside/addresses.ts';
import { makeKey, publicKeyOf } from '../../server/host/wireguard/key.ts';
import type { Context } from '../../server/stage/stage.ts';
import { updateReport } from '../../stages/report/stored-report.ts';
import { askFor } from '../ask-yes.ts';
import type { ChangeFlags } from '../command.ts';
import { firstServer } from './first.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** Seconds until a token ends that no server has used. */
const validFor = 24 * 3600;

/**
 * Makes a token, and makes WireGuard accept its key. A token for a node that has joined replaces its key,
 * so that it must join again.
 * @throws LandfallError USAGE for an invalid name, or if all addresses are used
 */
export async function makeToken(
  { host, site }: Context,
  name: string,
  { yes = false, json = false }: ChangeFlags,
): Promise<void> {
  if (!memberName.test(name)) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: 'the name of a node is short and in lower case',
        zh: '节点的名称要短，且为小写',
      }),
      {
        hint: {
          en: 'Such as: sudo landfall node token gpu1',
          zh: '例如：sudo landfall node token gpu1',
        },
      },
    );
  }
  const before = await firstServer({ host, site });
  const expected = freeAddress(before.members, name);
  const isKnown = before.nodes.some((node) => node.address === expected && node.isReady);
  const question = say(
    `${name} has joined: with a new token its connection ends until it joins again. Continue? [y/N] `,
    `${name} 已加入：换用新令牌后，它的连接会中断，直到重新加入。继续吗？[y/N] `,
  );
  if (isKnown && !yes && !(await askFor('y', question, '--yes'))) {
    return console.log(say('Nothing was changed.', '没有做任何更改。'));
  }
  const key = makeKey();
  const ends = new Date((Math.floor(Date.now() / 1000) + validFor) * 1000);
  const { settings } = before;
  const member = await withChangeLock(host, async () => {
    const { members, nodes } = await firstServer({ host, site });
    const address = freeAddress(members, name);
    // A server that left remains as one that is not ready.
    for (const node of nodes.filter((each) => each.address === address && !each.isReady)) {
      await removeNode(host, node.id);
    }
    const made = { name, address, publicKey: publicKeyOf(key), expires: ends.toISOString() };
    await inviteMember(host, settings, members, made);
    return made;
  });
  await updateReport(host, { needsNode: false });
  const token = formatToken({
    ...{ name, address: member.address, key, port: settings.port, engine: site.ports.engine },
    peer: publicKeyOf(await ownKey(host)),
    host: settings.address ?? (await outerAddress(host)),
    swarm: await workerToken(host),
    docker: await dockerMajor(host),
    expires: ends.getTime() / 1000,
  });
  if (json) return console.log(JSON.stringify({ ...member, token }, null, 2));
  const until = formatTime(ends);
  const port = `${settings.port}/udp`;
  console.log(
    [
      say(
        'Run on the new server (role: engine-node): sudo landfall node join',
        '在新服务器（role: engine-node）上运行：sudo landfall node join',
      ),
      say(
        `It asks for this line, which contains keys and is valid until ${until}:`,
        `它会要求输入下面这一行。其中含有密钥，有效期至 ${until}：`,
      ),
      '',
      token,
      '',
      say(
        `Its provider's firewall needs nothing; that of this server must let in ${port}.`,
        `新服务器的云防火墙无需改动；这台服务器的云防火墙必须放行 ${port}。`,
      ),
    ].join('\n'),
  );
}

async function outerAddress(host: Context['host']): Promise<string> {
  const own = await serverAddresses(host);
  const found = (await publicAddress(host, own)) ?? own.v4[0] ?? own.v6[0];
  if (found !== undefined) return found;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: 'this server has no address that a node could use',
      zh: '这台服务器没有节点可用的地址',
    }),
    {
      hint: {
        en: 'Set it: sudo landfall site set engines.swarm.address <address>',
        zh: '请设置：sudo landfall site set engines.swarm.address <地址>',
      },
    },
  );
}
