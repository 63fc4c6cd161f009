/** The conditions of SPEC 7. Each has a finding, a symptom, or both. */
export const specConditions = [
  'provider host unreachable directly',
  'probe through proxy returns status other than 200',
  'container cannot resolve host.docker.internal on Linux',
  'container without proxy variables',
  'wrongly resolved overseas domain (DNS pollution)',
  'TLS errors with self-built proxy or relay',
  'reverse proxy 502 Bad Gateway',
  'reverse proxy 403',
  'host port already used',
  'web UI shows engine connection failure',
  'model pull timeout',
  'editor verification code not received',
  'editor AI reply empty or "Network Error"',
  'editor code-hosting login spins',
  'locked out of SSH',
] as const;
export type SpecCondition = (typeof specConditions)[number];
