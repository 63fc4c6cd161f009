import { z } from 'zod';

/** Up to nine digits, so that a number fits into an integer in every language. */
const number = '(?:0|[1-9]\\d{0,8})';
const identifier = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const core = `${number}\\.${number}\\.${number}`;
const preRelease = `(?:-${identifier}(?:\\.${identifier})*)?`;

/** A version of Semantic Versioning 2.0.0, without build metadata, which does not affect order. */
export const versionPattern = new RegExp(`^${core}${preRelease}$`);

const error = 'must be a version such as 1.2.0';

/** A version as a field of a document. Rules across fields compare versions, so they need valid ones. */
export const versionSchema = z
  .string()
  .max(64, { abort: true })
  .regex(versionPattern, { error, abort: true });
