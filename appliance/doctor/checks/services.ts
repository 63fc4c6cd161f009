import { plainLine } from '#contract/text/plain-line.ts';
import type { Check } from '../finding.ts';

/** Units of Landfall and those that it needs; others are the administrator's. */
const ours = /^(?:landfall-.*|docker|containerd|ssh|nftables|ufw|fail2ban|systemd-resolved)\./;

/** Reports failed units of systemd that Landfall depends on. */
export const servicesCheck: Check = {
  name: 'services',
  root: false,
  needs: 'server',
  run: async (host) => {
    const args = ['--failed', '--plain', '--no-legend', '--full'];
    const { stdout } = await host.run('systemctl', ['list-units', ...args]);
    const failed = stdout
      .split('\n')
      .map((line) => plainLine(line.trim().split(/\s+/)[0] ?? ''))
      .filter((unit) => ours.test(unit));
    return failed.map((unit) => ({
      code: 'SERVICE_FAILED',
      subject: unit,
      text: `the unit ${unit} has failed`,
    }));
  },
};
