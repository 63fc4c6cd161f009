import type { FastHost } from '../machine/fast-host.ts';

/**
 * Waits a moment after the start of a stage, then kills everything that the first boot started.
 * Prints the outcome: the stage may finish earlier.
 */
const script = `
import json, subprocess, sys, time
name, moment = sys.argv[1], float(sys.argv[2])
def state():
  try:
    with open('/run/landfall/status.json') as file:
      stages = json.load(file)['stages']
    return next(stage['state'] for stage in stages if stage['name'] == name)
  except (OSError, ValueError, KeyError):
    return 'waiting'
began = None
while True:
  now = state()
  if now == 'running':
    began = began or time.monotonic()
    if time.monotonic() - began >= moment:
      break
  elif now in ('applied', 'kept', 'failed'):
    print(now)
    sys.exit()
  time.sleep(0.005)
subprocess.run(['systemctl', 'kill', '--signal=SIGKILL', 'landfall-boot.service'])
print('killed')
`;

/** How a stage ended: killed, or finished before the moment of the kill. */
export type End = 'killed' | 'applied' | 'kept' | 'failed';

/**
 * Kills a first boot in a stage, with all child processes such as apt, and restarts it.
 * @param moment seconds after the start of the stage
 */
export async function killInStage(host: FastHost, stage: string, moment: number): Promise<End> {
  const ran = await host.run(['python3', '-c', script, stage, `${moment}`], { limit: 600 });
  if (ran.exitCode !== 0) {
    const journal = (await host.journal('landfall-boot.service')).split('\n').slice(-40).join('\n');
    throw new Error(`the stage ${stage} did not run: ${ran.stderr}\n${journal}`);
  }
  const end = ran.stdout.trimEnd();
  if (end === 'killed') await host.output('systemctl start --no-block landfall-boot.service');
  return end as End;
}
