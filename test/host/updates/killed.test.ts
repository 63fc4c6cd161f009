import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { firstBooted } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { startOnServer } from '../commands/start-on-server.ts';
import { UpdateLab } from '../commands/update-lab.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { ChatData } from './chat-data.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

/** Kills the driver with its children, once in each of these states, and prints those. */
const killer = `
import json, subprocess, sys, time
left, killed, at = sys.argv[1:], [], 0
def events():
  try:
    with open('/run/landfall/update.jsonl') as file: return file.read().splitlines()
  except FileNotFoundError:
    return []
while left:
  for line in events()[at:]:
    at += 1
    state = json.loads(line)['state']
    if left and state == left[0]:
      time.sleep(float(0.3))
      subprocess.run(['systemctl', 'kill', '--signal=SIGKILL', 'landfall-update.service'])
      killed.append(left.pop(0))
      # What the killed program wrote is not the next one's.
      time.sleep(1)
      at = len(events())
      break
  time.sleep(0.02)
print(' '.join(killed))
`;

given.describe(`an update of ${distribution} that is disturbed`, () => {
  let premises: Premises;
  let lab: UpdateLab;
  let data: ChatData;
  beforeAll(async () => {
    premises = await firstBooted(given, distribution);
    lab = await UpdateLab.open(premises);
    await lab.addRelease('0.1.0');
    data = await ChatData.create(premises.host);
  });
  afterAll(() => premises?.close());
  afterAll(() => lab?.close());
  const output = (command: string) => premises.host.output(command);

  it('goes on after a closed window, and after Ctrl-C in each state, and shows the progress again', async () => {
    await lab.build('0.1.5', { gateway: true });
    await lab.sign('release');
    const update = () => startOnServer(given.dependencies, premises.host, 'update --yes');
    await lab.during(async () => {
      const window = update();
      await window.shows('preparing;');
      await output("pkill --signal HUP --full '[l]andfall.mjs update --yes'");
      expect(await window.end()).toMatchObject({ status: 129 });
      for (const line of ['preparing;', 'starting the new release', 'testing the new release']) {
        const terminal = update();
        await terminal.shows(line);
        terminal.type(keys.interrupt);
        const { status, text } = await terminal.end();
        expect({ status, text }).toMatchObject({ status: 130 });
        expect(text).toContain('The update goes on.');
      }
      const { status, text } = await update().end();
      expect({ status, text }).toMatchObject({ status: 0 });
      expect(text).toMatch(/is installed|up to date/);
    });
    expect(await output('readlink /opt/landfall/current')).toBe('releases/0.1.5-amd64');
    await lab.remove('0.1.5');
  });

  it.each([
    ['0.2.0', 'same-schema', ['preparing', 'closed'], '0.2.0'],
    ['0.3.0', 'next', ['switching', 'verifying', 'committed'], '0.3.0'],
    ['0.4.0', 'does-not-start', ['rolling-back', 'rolled-back'], '0.3.0'],
    ['0.5.0', 'hangs', ['switching', 'switching', 'switching'], '0.3.0'],
  ] as const)(
    'continues to %s (%s), killed in %j, and ends with %s',
    async (version, ui, states, end) => {
      await lab.build(version, { ui, gateway: true });
      await lab.sign('release');
      await output('rm -f /run/landfall/update.jsonl');
      // A power cut while Compose replaces a container leaves its temporary name.
      await output('docker rename landfall-tinyproxy 0123456789ab_landfall-tinyproxy');
      const killed = premises.host.run(['python3', '-c', killer, ...states], { limit: 200 });
      const { stdout } = await lab.run('landfall update --yes 2>&1');
      expect((await killed).stdout.trim(), stdout).toBe(states.join(' '));
      expect(await output('readlink /opt/landfall/current'), stdout).toBe(`releases/${end}-amd64`);
      expect(await output('cat /var/lib/landfall/installed')).toBe(end);
      expect(stdout).toContain(end === version ? 'is installed' : 'was rolled back');
      expect(await data.found()).toEqual({ chat: true, document: true });
      expect(await output('landfall status || true')).toContain('all components are up');
      expect(await output('landfall status || true')).not.toContain(`${end} is available`);
      expect(await output("docker ps --format '{{.Names}}'")).not.toContain('_landfall');
      expect(await output('ls /var/lib/docker/volumes/landfall_ui-data')).not.toContain('failed');
      const outside = await premises.administrator.fetch('https://chat.example.com/');
      expect(outside.status).toBe(200);
      await lab.remove(version);
    },
  );

  /** Runs a script on the server when the update goes back. */
  const whenGoingBack = async (script: string) => {
    await output('rm -f /run/landfall/update.jsonl');
    return premises.host.run(
      `until grep -q rolling-back /run/landfall/update.jsonl; do sleep 0.05; done; ${script}`,
      { limit: 300 },
    );
  };

  it('waits for Docker that stops while the update goes back', async () => {
    await lab.build('0.6.0', { ui: 'does-not-start' });
    await lab.sign('release');
    const docker = 'docker.socket docker.service';
    const stopped = whenGoingBack(`systemctl stop ${docker}; sleep 45; systemctl start ${docker}`);
    const { stdout } = await lab.run('landfall update --yes 2>&1');
    expect((await stopped).exitCode).toBe(0);
    expect(stdout).toContain('0.6.0 was rolled back');
    expect(await output('readlink /opt/landfall/current')).toBe('releases/0.3.0-amd64');
    expect(await data.found()).toEqual({ chat: true, document: true });
    await lab.remove('0.6.0');
  });

  it('deletes nothing while the copy cannot be read, and goes on with resume', async () => {
    await lab.build('0.7.0', { ui: 'does-not-start' });
    await lab.sign('release');
    const volume = '/var/lib/docker/volumes/landfall_ui-data';
    const file = '/var/lib/landfall/update/transaction.json';
    const id = `$(python3 -c 'import json; print(json.load(open("${file}"))["id"])')`;
    const copy = `${volume}/_data.copy-${id}`;
    const broken = whenGoingBack(`mv ${copy}/webui.db ${copy}/away.db`);
    const { exitCode, stdout } = await lab.run('landfall update --yes 2>&1');
    expect((await broken).exitCode).toBe(0);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 11 });
    expect(stdout).toContain('the rollback of 0.7.0 is stuck');
    expect(await output('landfall status || true')).toContain('sudo landfall update resume');
    expect(lab.receiver.accepted.join()).toContain('is stuck; nothing was deleted');
    expect(await output(`ls ${copy}/away.db`)).toContain('away.db');
    expect(await output('ls -d $(readlink -f /opt/landfall/current)')).toContain('-amd64');
    await output(`mv ${copy}/away.db ${copy}/webui.db`);
    const resumed = await lab.run('landfall update resume 2>&1');
    expect(resumed.stdout).toContain('0.7.0 was rolled back');
    expect(await output('readlink /opt/landfall/current')).toBe('releases/0.3.0-amd64');
    expect(await data.found()).toEqual({ chat: true, document: true });
    await lab.remove('0.7.0');
  });

  it('trusts only the new keys after a release of the recovery key, also after a rollback', async () => {
    const next = { release: 'next' };
    const install = (version: string) =>
      lab.run(`landfall update --yes ${lab.bundle(version)} 2>&1`);
    await lab.build('0.8.0', { ui: 'next', gateway: true }, { ...next, signer: 'recovery' });
    await lab.sign('release');
    expect((await install('0.8.0')).stdout).toContain('Release 0.8.0 is installed.');
    await lab.build('0.9.0', { ui: 'next', gateway: true });
    await lab.sign('release');
    await lab.build('0.9.1', { ui: 'next', gateway: true }, { ...next, signer: 'next' });
    await lab.sign('release');
    expect(await install('0.9.0')).toMatchObject({ exitCode: 6 });
    expect(await output('landfall update rollback --yes')).toContain('0.3.0 is installed');
    expect(await install('0.9.0')).toMatchObject({ exitCode: 6 });
    expect((await install('0.9.1')).stdout).toContain('Release 0.9.1 is installed.');
    expect(await data.found()).toEqual({ chat: true, document: true });
  });
});
