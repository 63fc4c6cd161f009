import { describe, expect, it } from 'vitest';
import { reportFile } from '#contract/server-paths.ts';
import { siteSchema } from '#contract/site/site.ts';
import { storedReport } from '../../../../appliance/stages/report/stored-report.ts';
import { updateAlertWarnings } from '../../../../appliance/stages/report/warnings.ts';
import { smallSite } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { goodReport } from './fixture.ts';

const site = siteSchema.parse({ ...smallSite, alerts: [{ kind: 'wecom' }] });
const other = { kind: 'swap', subject: 'swap', text: 'no swap' } as const;

describe('the warnings about alert targets', () => {
  it('disappear when the secret is set, and others stay', async () => {
    const report = { ...goodReport, warnings: [other] };
    const host = TemporaryHost.with({ [reportFile.json]: JSON.stringify(report) });
    await updateAlertWarnings(host, site);
    expect((await storedReport.read(host))?.warnings).toEqual([
      other,
      {
        kind: 'alert',
        subject: 'wecom',
        text: expect.stringContaining('sudo landfall secret set alert-wecom-url'),
      },
    ]);
    const withSecret = TemporaryHost.with({
      [reportFile.json]: JSON.stringify(await storedReport.read(host)),
      'etc/landfall/secrets/alert-wecom-url': 'https://example.com/\n',
    });
    await updateAlertWarnings(withSecret, site);
    expect((await storedReport.read(withSecret))?.warnings).toEqual([other]);
  });
});
