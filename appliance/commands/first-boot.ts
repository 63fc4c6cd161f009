import { firstBoot } from '../first-boot.ts';
import type { Command } from './command.ts';
import { readFlags } from './read-flags.ts';
import { releaseFolder } from './release-folder.ts';

export const firstBootCommand: Command = {
  summary: 'bring this server up, or what is missing of it',
  example: 'sudo landfall first-boot',
  root: true,
  run: async (args) => {
    readFlags('first-boot', args, []);
    await firstBoot(await releaseFolder());
  },
};
