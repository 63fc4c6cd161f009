/*
 * Shell commands for the owner of a server, one each. Where systemd holds the socket, sshd does not
 * survive a reload, and another port is the socket's affair.
 */

const held = 'systemctl --quiet is-active ssh.socket';

/** Makes a running sshd read its settings again. */
export const rereadSshSettings = `if ${held}; then systemctl try-restart ssh; else systemctl reload ssh; fi`;

/** Makes SSH listen where its settings say. */
export const restartSsh = `if ${held}; then systemctl daemon-reload && systemctl restart ssh.socket; else systemctl restart ssh; fi`;
