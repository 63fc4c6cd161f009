import { plainLine } from '#contract/text/plain-line.ts';
import type { Check } from '../finding.ts';

/** Seconds. Package scripts may restart services. */
const configureSeconds = 600;

/** Reports packages that are only partly installed, for example after a power cut. */
export const packagesCheck: Check = {
  name: 'packages',
  root: false,
  needs: 'server',
  run: async (host) => {
    const { stdout } = await host.run('dpkg', ['--audit'], { accept: [1] });
    if (stdout.trim() === '') return [];
    // Packages are indented; the lines between them explain the state.
    const names = stdout.split('\n').filter((line) => /^ \S/.test(line));
    return [
      {
        code: 'PACKAGES_BROKEN',
        subject: 'dpkg',
        text: 'packages are not fully installed',
        details: names.map((line) => plainLine(line)),
        fix: {
          does: {
            en: 'complete the interrupted installation of packages',
            zh: '完成被中断的软件包安装',
          },
          apply: async ({ host: server }) =>
            void (await server.run('dpkg', ['--configure', '-a', '--force-confold'], {
              seconds: configureSeconds,
            })),
        },
      },
    ];
  },
};
