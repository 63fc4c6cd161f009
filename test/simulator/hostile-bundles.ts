import { archiveAttacks } from './hostile/archive.ts';
import { evidenceAttacks } from './hostile/evidence.ts';
import { headAttacks } from './hostile/head.ts';
import { headerAttacks } from './hostile/headers.ts';
import { manifestAttacks } from './hostile/manifest.ts';
import { memberAttacks } from './hostile/members.ts';
import { modelAttacks } from './hostile/models.ts';
import { pathAttacks } from './hostile/paths.ts';
import { signatureAttacks } from './hostile/signature.ts';
import { trustAttacks } from './hostile/trust.ts';
import type { HostileBundle } from './hostile-bundle.ts';

/** Every bundle that must be rejected, each for a different reason. The README cites the count. */
export const hostileBundles: readonly HostileBundle[] = [
  ...archiveAttacks,
  ...headAttacks,
  ...headerAttacks,
  ...memberAttacks,
  ...signatureAttacks,
  ...trustAttacks,
  ...manifestAttacks,
  ...pathAttacks,
  ...modelAttacks,
  ...evidenceAttacks,
];
