import { describe, expect, it } from 'vitest';
import { existingVolume } from '../../../../appliance/server/chats/sandbox.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const folder = (answers: Parameters<typeof TemporaryHost.with>[1]) =>
  existingVolume(TemporaryHost.with({}, answers), 'ui-data');

describe('the folder of a volume whose data is changed', () => {
  it('returns undefined only if Docker lists no such volume', async () => {
    const answers = { 'docker volume inspect': 1, 'docker volume ls': 'landfall_engine-data\n' };
    expect(await folder(answers)).toBeUndefined();
  });

  it.each([1, 'landfall_ui-data\n'])('rejects a Docker that does not respond: %s', async (list) => {
    const answers = { 'docker volume inspect': 1, 'docker volume ls': list };
    await expect(folder(answers)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });
});
