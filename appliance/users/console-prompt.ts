import type { Host } from '../host/host.ts';
import { isEnabled } from '../host/systemd.ts';
import type { Step } from './step.ts';

/** Units that show a login prompt: on a screen, a serial line, the console of a container. */
const prompts = [
  'getty@*.service',
  'serial-getty@*.service',
  'console-getty.service',
  'container-getty@*.service',
];
const onScreen = 'getty@tty1.service';

/** Enables a login prompt on the console. */
export const consolePrompt: Step = {
  async todo({ host }) {
    if ((await hasPrompt(host)) || (await isEnabled(host, onScreen))) return undefined;
    return 'show a login prompt on the console';
  },
  async apply({ host }) {
    if (await hasPrompt(host)) return;
    await host.run('systemctl', ['enable', '--quiet', onScreen]);
    // This fails without harm on a machine without a screen.
    await host.succeeds('systemctl', ['start', '--no-block', onScreen]);
  },
};

/** Returns whether a login prompt is active. */
export async function hasPrompt(host: Host): Promise<boolean> {
  const args = ['list-units', '--plain', '--no-legend', '--state=active', ...prompts];
  return (await host.run('systemctl', args)).stdout.trim() !== '';
}
