import { Resolver } from 'node:dns/promises';
import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import { addressesOf } from '#contract/site/network/dns.ts';
import { readText } from '../../../server/host/files.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { acceptsTcp } from '../reach.ts';

/** Milliseconds. */
const timeout = 3000;
/** RFC 7858. */
const tlsPort = 853;
/** Any answer counts. Servers answer names below `invalid` without another server (RFC 6761, 6.4). */
const name = 'landfall.invalid';

/**
 * Verifies that the DNS servers of the site answer. A server that does not is a warning as long as
 * another one does, or if this server is installed.
 * @param port port of the servers, for tests
 * @throws LandfallError ROUTE_BLOCKED
 */
export async function proveDns({ host, site, report }: Context, port?: number): Promise<void> {
  const { dns } = site;
  if (dns === undefined) return;
  const answers = dns.tls ? acceptsTcp : answersQuery;
  const checked = await host.outside.measure(() =>
    Promise.all(
      addressesOf(dns).map(async (address) => ({
        address,
        answers: await answers(address, port ?? (dns.tls ? tlsPort : 53)),
      })),
    ),
  );
  const silent = checked.filter((each) => !each.answers).map(({ address }) => address);
  const installed = (await readText(host, installedMark)) !== undefined;
  if (silent.length === checked.length && !installed) {
    throw new LandfallError('ROUTE_BLOCKED', `no DNS server answers: ${silent.join(', ')}`, {
      hint: {
        en: 'Set other servers as dns.nameserver, or remove dns.',
        zh: '在 dns.nameserver 中换用其他服务器，或删除 dns。',
      },
    });
  }
  for (const address of silent) {
    report.warn({
      kind: 'route',
      subject: address,
      text: {
        en: `the DNS server ${address} does not answer`,
        zh: `DNS 服务器 ${address} 没有响应`,
      },
    });
  }
}

async function answersQuery(address: string, port: number): Promise<boolean> {
  const resolver = new Resolver({ timeout, tries: 2 });
  resolver.setServers([`${address.includes(':') ? `[${address}]` : address}:${port}`]);
  try {
    await resolver.resolve4(name);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && noAnswer.has(String(error.code)));
  }
}

const noAnswer = new Set(['ECONNREFUSED', 'ETIMEOUT', 'ETIMEDOUT', 'ECANCELLED']);
