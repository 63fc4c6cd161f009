import { isActive } from '../../host/service.ts';
import type { Check } from '../finding.ts';

const unit = 'fail2ban.service';

/** Reports a fail2ban that does not run or does not answer. */
export const banCheck: Check = {
  name: 'ban',
  root: true,
  needs: 'server',
  run: async (host) => {
    const text = !(await isActive(host, unit))
      ? 'fail2ban is not running'
      : (await host.succeeds('fail2ban-client', ['ping']))
        ? undefined
        : 'fail2ban does not answer';
    if (text === undefined) return [];
    return [
      {
        code: 'BAN_DOWN',
        subject: 'fail2ban',
        text: `${text}, so guessing clients are not banned`,
        fix: {
          does: { en: 'restart fail2ban', zh: '重启 fail2ban' },
          apply: async ({ host: server }) => {
            await server.succeeds('systemctl', ['reset-failed', unit]);
            await server.run('systemctl', ['restart', unit]);
          },
        },
      },
    ];
  },
};
