import { expect, it } from 'vitest';
import type { Ran } from '../machine/exec.ts';
import type { Page } from '../network/outsider.ts';
import type { Premises } from './premises.ts';

/** Observations of a server during its first boot; later the gateway replaces the page. */
export interface FirstBootObservations {
  readonly pages: Readonly<Record<'v4' | 'v6', Page>>;
  /** `/proc/<pid>/status` of the process that serves it, and what that process can reach. */
  readonly process: string;
  readonly links: string;
  readonly secrets: Ran;
  readonly greeting: string;
  readonly standing: Ran;
}

/** Reads page, greeting and status of a server as soon as they appear. */
export async function observeFirstBoot({
  host,
  administrator,
}: Premises): Promise<FirstBootObservations> {
  await host.waitFor('curl -sf -o /dev/null http://127.0.0.1/');
  const inside = 'nsenter -t "$(systemctl show -P MainPID landfall-page.service)"';
  return {
    pages: {
      v4: await administrator.fetch(`http://${host.addresses.v4}/any/path?at=all`),
      v6: await administrator.fetch(`http://[${host.addresses.v6}]/`),
    },
    process: await host.output(
      'cat "/proc/$(systemctl show -P MainPID landfall-page.service)/status"',
    ),
    links: await host.output(`${inside} --net ip -brief link`),
    secrets: await host.run(
      `${inside} --mount ls /etc/landfall /opt/landfall/current/release.json`,
    ),
    greeting: await host.output('run-parts /etc/update-motd.d'),
    standing: await host.run('landfall status --json'),
  };
}

/** Tests what anonymous clients and the administrator see before the stack is up. */
export function itShowedItsProgress(early: () => FirstBootObservations): void {
  it.each(['v4', 'v6'] as const)('shows the page to every client over IP%s', (family) => {
    expect(early().pages[family]).toMatchObject({
      status: 200,
      body: expect.stringContaining('This server is being set up'),
    });
  });

  it('shows no users, versions or names to anonymous clients', () => {
    for (const { body } of Object.values(early().pages)) {
      expect(body).not.toMatch(/\bops\b|0\.1\.0|example\.com|docker|debian/i);
    }
  });

  it('serves it from a process without privileges', () => {
    const { process, links } = early();
    expect(process).toMatch(/^Uid:\s+[1-9]/m);
    for (const set of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      expect(process).toMatch(new RegExp(`^${set}:\\s+0+$`, 'm'));
    }
    expect(process).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(process).toMatch(/^Seccomp:\s+2$/m);
    expect(links.split('\n').map((line) => line.split(' ')[0])).toEqual(['lo']);
  });

  it('hides settings, secrets and the release from that process', () => {
    const { exitCode, stdout } = early().secrets;
    expect(exitCode).not.toBe(0);
    expect(stdout.replace('/etc/landfall:', '').trim()).toBe('');
  });

  it('shows at login that the first boot is not finished', () => {
    expect(early().greeting).toContain('the first boot has reached');
  });

  it('makes programs retry', () => {
    expect(early().standing.exitCode).toBe(75);
    expect(JSON.parse(early().standing.stdout)).toMatchObject({ state: 'running' });
  });
}
