import { firstBoot } from '../first-boot.ts';
import type { Command } from './command.ts';
import { releaseFolder } from './release-folder.ts';

export const firstBootCommand: Command = {
  summary: 'bring this server up, or what is missing of it',
  root: true,
  run: async () => await firstBoot(await releaseFolder()),
};
