import type { Host } from '../host/host.ts';
import { isEnabled } from '../host/systemd.ts';
import type { Step } from './step.ts';

/** Units that ask for a name and a password: on a screen, a serial line, a container's console. */
const prompts = [
  'getty@*.service',
  'serial-getty@*.service',
  'console-getty.service',
  'container-getty@*.service',
];
const onScreen = 'getty@tty1.service';

/** Somebody asks for a name on the console. */
export const consolePrompt: Step = {
  async todo({ host }) {
    if ((await hasPrompt(host)) || (await isEnabled(host, onScreen))) return undefined;
    return 'show a login prompt on the console';
  },
  async apply({ host }) {
    if (await hasPrompt(host)) return;
    await host.run('systemctl', ['enable', '--quiet', onScreen]);
    // A machine without a screen refuses to start it, and it does no harm there.
    await host.succeeds('systemctl', ['start', '--no-block', onScreen]);
  },
};

/** Whether a login prompt is there now. */
export async function hasPrompt(host: Host): Promise<boolean> {
  const args = ['list-units', '--plain', '--no-legend', '--state=active', ...prompts];
  return (await host.run('systemctl', args)).stdout.trim() !== '';
}
