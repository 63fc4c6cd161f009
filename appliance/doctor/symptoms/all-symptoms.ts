import { browserSymptoms } from './browser.ts';
import { editorSymptoms } from './editor.ts';
import { loginSymptoms } from './login.ts';
import type { Symptom } from './symptom.ts';

/** All symptoms, in the order of the list. */
export const symptoms: readonly Symptom[] = [
  ...browserSymptoms,
  ...loginSymptoms,
  ...editorSymptoms,
];
