import { describe, expect, it } from 'vitest';
import {
  isImageNamed,
  nameImage,
  restartTask,
} from '../../../../appliance/nodes/swarm/node-task.ts';
import { swarmImage } from '../../../../appliance/nodes/swarm/stack-file.ts';
import { type Answer, TemporaryHost } from '../../temporary-host.ts';

const local = 'landfall.local/engine:0123456789ab';

function hostWith(inspected: Answer) {
  return TemporaryHost.with({}, { 'docker image inspect': inspected, 'docker tag': '' });
}

describe('the image of a node', () => {
  it.each([
    ['that of another release', 'sha256:new\nsha256:old\n'],
    ['none', { code: 1, stdout: 'sha256:new\n' }],
  ])('gets the name of the service, which was %s', async (_what, inspected) => {
    const host = hostWith(inspected);
    expect(await nameImage(host, local)).toBe(true);
    expect(host.ran).toContain(`docker tag ${local} ${swarmImage}`);
  });

  it('keeps the name, so that no task restarts', async () => {
    const host = hostWith('sha256:new\nsha256:new\n');
    expect(await nameImage(host, local)).toBe(false);
    expect(host.ran).toHaveLength(1);
  });

  it('counts as unnamed if Docker has neither', async () => {
    expect(await isImageNamed(hostWith({ code: 1, stdout: '' }), local)).toBe(false);
  });
});

it.each([
  ['0123abcd\n', true],
  ['', false],
])('says whether there was a task to restart: %j', async (ids, had) => {
  const host = TemporaryHost.with({}, { 'docker ps': ids, 'docker stop': '' });
  expect(await restartTask(host)).toBe(had);
});
