import { describe, expect, it } from 'vitest';
import { runAction } from '../../../appliance/commands/run-action.ts';

const actions = { list: async () => {}, allow: async () => {} };

describe('a command of several parts', () => {
  // `constructor` is a property of every object.
  it.each(['open', '--help', 'constructor', ''])('does not guess what %j means', async (word) => {
    await expect(runAction('firewall', actions, 'list', [word])).rejects.toMatchObject({
      code: 'USAGE',
      message: `landfall firewall does not know ${word}`,
      hint: 'It knows list, allow.',
    });
  });
});
