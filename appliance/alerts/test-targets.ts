import { LandfallError } from '#contract/errors.ts';
import { type AlertKind, alertName } from '#contract/site/alerts/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import type { Host } from '../host/host.ts';
import { serverName } from '../host/server.ts';
import { type Readers, testMessage } from './message.ts';
import { forgetFailure } from './queue.ts';
import { sendMessage, type Via } from './send.ts';

/** The result of a test message. */
interface TargetResult {
  readonly target: string;
  readonly kind: AlertKind;
  readonly sent: boolean;
  readonly via?: Via;
  readonly error?: Pick<LandfallError, 'code' | 'message' | 'hint' | 'retriable'>;
}

/**
 * Sends a test message to every target of the site, one after the other.
 * @throws LandfallError ALERT_FAILED if the site has no targets
 */
export async function testTargets(
  host: Host,
  site: Pick<Site, 'alerts' | 'route'> & Readers,
): Promise<TargetResult[]> {
  if (site.alerts.length === 0) {
    throw new LandfallError('ALERT_FAILED', 'this site has no alert targets', {
      hint: 'Add one to /etc/landfall/site.json, such as "alerts": [{"kind": "ntfy"}].',
      retriable: false,
    });
  }
  const message = testMessage(await serverName(host), site);
  const results: TargetResult[] = [];
  for (const target of site.alerts) {
    const about = { target: alertName(target), kind: target.kind };
    try {
      const via = await sendMessage(host, site, target, message);
      await forgetFailure(host, target);
      results.push({ ...about, sent: true, via });
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      const { code, message: text, hint, retriable } = error;
      results.push({ ...about, sent: false, error: { code, message: text, hint, retriable } });
    }
  }
  return results;
}

/** Formats the results as a table, with the hints of failures below it. */
export function describeResults(results: readonly TargetResult[]): string {
  const rows = results.map(({ target, kind, sent, via, error }) => [
    target,
    kind,
    inLanguage(sent ? { en: 'sent', zh: '已送达' } : { en: 'failed', zh: '失败' }),
    sent ? (via === 'direct' ? inLanguage(direct) : '') : `${error?.code}: ${error?.message}`,
  ]);
  const hints = results.flatMap(({ target, error }) =>
    error?.hint === undefined ? [] : [`hint for ${target}: ${error.hint}`],
  );
  return [formatTable(rows), ...hints].join('\n');
}

const direct = { en: 'without the proxy', zh: '未经代理' };
