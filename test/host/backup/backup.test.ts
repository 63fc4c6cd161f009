import { describe } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { useBackupLab } from './backup-lab.ts';
import { itMakesBackups } from './backup-view.ts';
import { itRecoversFromFaults } from './faults-view.ts';
import { itTestsItsBackups } from './restore-tests-view.ts';
import { itStoresAtEveryTarget } from './targets-view.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

/** Views of one server. Each starts over with its own targets, and the last one mounts a disk. */
given.describe(`the backups of ${distribution}`, () => {
  const lab = useBackupLab(given, distribution, { kind: 'folder', path: '/mnt/backup' });

  describe('in a folder', () => itMakesBackups(lab));

  describe('tested', () => itTestsItsBackups(lab));

  describe('at a bucket and an SFTP server', () => itStoresAtEveryTarget(lab));

  describe('after a fault', () => itRecoversFromFaults(lab));
});
