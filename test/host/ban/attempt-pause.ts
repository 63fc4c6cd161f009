/**
 * Milliseconds between two attempts to log in. UFW rejects the sixth connection within 30 seconds, and
 * newer sshd drops clients with three failures in quick succession. Both prevent fail2ban from counting
 * a failure.
 */
export const attemptPause = 6500;
