import { gatewayConfigurationFile } from '#contract/bundle/bundle-paths.ts';
import { bareAddressComponent } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { isEngineNode, servedHosts } from '#contract/site/enabled.ts';
import { originOf } from '#contract/site/endpoints.ts';
import { inBoth, type Text } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import { gatewayHosts } from '#smoke/endpoint.ts';
import { exchange } from '#smoke/exchange.ts';
import type { Host } from '../../../server/host/host.ts';
import { firewallDifferences } from '../../../stages/firewall/differences.ts';
import { firewallFacts } from '../../../stages/firewall/facts.ts';
import { checkPorts } from '../../../stages/preflight/ports.ts';
import { serverTarget } from '../../../stages/smoke/target.ts';
import { insideGateway } from '../../../stages/stack/gateway/certificate-files.ts';
import { readStopped } from '../../../stages/stack/stopped.ts';
import type { FindingCode } from '../codes.ts';
import { detailsOf, type Finding, siteCheck, stageFix } from '../finding.ts';

/** Milliseconds. */
const timeout = 10_000;
const gateway = 'landfall-gateway';
/** A status of the gateway and its meaning. */
const faults: Readonly<Record<number, FindingCode>> = {
  403: 'GATEWAY_FORBIDDEN',
  502: 'GATEWAY_BAD_GATEWAY',
  504: 'GATEWAY_BAD_GATEWAY',
};

/** Requests each page of the site through the gateway, and validates the settings of nginx. */
export const gatewayCheck = siteCheck({ name: 'gateway', root: true }, async (context) => {
  const stopped = await readStopped(context.host);
  if (stopped.has('gateway')) return [];
  const target = await serverTarget(context);
  const served = Object.entries(servedHosts(context.site));
  // Without host names, the bare address is that of the chat UI.
  const isStopped = (host: string) =>
    stopped.has(served.find(([, name]) => name === host)?.[0] ?? bareAddressComponent);
  const hosts = isEngineNode(context.site) ? [] : gatewayHosts(target);
  const names = hosts.filter((name) => !isStopped(name));
  const pages = await Promise.all(
    names.map((name) => page(name, `${originOf(context.site, name)}/`, target.gateway)),
  );
  const found = [...(await settingsFault(context.host)), ...pages.flat()];
  const down = found.filter(({ code }) => code === 'GATEWAY_DOWN');
  // Without the gateway, every page fails for the same reason.
  return [...down.slice(0, 1), ...found.filter(({ code }) => code !== 'GATEWAY_DOWN')];
});

async function page(name: string, url: string, address: string): Promise<Finding[]> {
  try {
    const { status } = await exchange(url, { address, timeout });
    const code = faults[status];
    return code ? [{ code, subject: name, text: returnsStatus(url, status) }] : [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = {
      en: `the gateway does not answer for ${name}: ${reason}`,
      zh: `网关没有响应 ${name} 的请求：${translated(reason)}`,
    };
    return [down(text)];
  }
}

function returnsStatus(url: string, status: number): Text {
  return { en: `${url} returns status ${status}`, zh: `${url} 返回状态 ${status}` };
}

/** nginx keeps its last valid settings, so wrong ones show only at the next start. */
async function settingsFault(host: Host): Promise<Finding[]> {
  const settings = insideGateway(gatewayConfigurationFile);
  try {
    await host.run('docker', ['exec', gateway, 'nginx', '-t', '-q', '-c', settings]);
    return [];
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const lines = error.problems.map(({ message }) => message);
    const wrong = lines.filter((line) => line.includes('[emerg]'));
    const text = { en: 'nginx rejects the settings of the gateway', zh: 'nginx 拒绝网关的配置' };
    return wrong.length > 0 ? [{ ...down(text, wrong), code: 'GATEWAY_SETTINGS' }] : [];
  }
}

function down(text: Text, details: readonly string[] = []): Finding {
  const fix = stageFix('stack');
  return { code: 'GATEWAY_DOWN', subject: 'gateway', text, details, fix };
}

/** Reports ports of the stack that another program uses (SPEC 7, "host port already used"). */
export const portsCheck = siteCheck({ name: 'ports', root: true }, async (context) =>
  (await checkPorts(context)).map(({ message, hint }) => ({
    code: 'PORT_USED',
    subject: /\d+/.exec(message)?.[0] ?? 'port',
    text: inBoth(message),
    details: detailsOf({ hint }),
  })),
);

/** Reports a firewall that differs from its settings, and ports that only UFW opens. */
export const firewallCheck = siteCheck({ name: 'firewall', root: true }, async ({ host, site }) => {
  const facts = await firewallFacts(host, site);
  const { problems, closedHere } = await firewallDifferences(host, facts);
  return [
    ...problems.map(({ message }) => ({
      code: 'FIREWALL_DIFFERS' as const,
      subject: 'firewall',
      text: inBoth(message),
    })),
    ...closedHere.map(({ opening, message, hint }) => ({
      code: 'PORT_CLOSED' as const,
      subject: opening,
      text: inBoth(message),
      details: detailsOf({ hint }),
    })),
  ];
});
