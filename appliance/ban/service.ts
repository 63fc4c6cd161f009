import { banSettingsFile } from '#contract/server-paths.ts';
import type { Service } from '../host/service.ts';
import { formatIgnored } from './ignored.ts';
import { actionFile, renderAction } from './render-action.ts';
import { filterFile, renderFilter } from './render-filter.ts';
import { ignoreCommandFile, renderIgnoreCommand } from './render-ignore-command.ts';
import { type BanFacts, jailsFile, renderJails } from './render-jails.ts';
import { logRotationFile, renderLogRotation } from './render-log-rotation.ts';

export const banUnit = 'fail2ban.service';

/** Returns fail2ban with our jails. */
export function banService(facts: BanFacts) {
  return {
    // fail2ban needs python3-systemd for the journal; Debian 12 only recommends it.
    packages: ['fail2ban', 'python3-systemd', 'logrotate'],
    files: [
      { path: banSettingsFile, text: formatIgnored(facts.ignored) },
      { path: actionFile, text: renderAction() },
      { path: filterFile, text: renderFilter() },
      { path: jailsFile, text: renderJails(facts) },
      { path: logRotationFile, text: renderLogRotation() },
      { path: ignoreCommandFile, text: renderIgnoreCommand(), mode: 0o755 },
    ],
    units: [{ name: banUnit, restart: 'always' }],
  } satisfies Service;
}
