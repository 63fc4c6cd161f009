import { z } from 'zod';
import { isPublicKey } from './keys.ts';

/** The schema of a public key in JSON: SubjectPublicKeyInfo, DER, base64, the body of a PEM file. */
export const publicKey = z
  .string()
  .max(256)
  .refine(isPublicKey, 'must be a P-256 public key in base64');
