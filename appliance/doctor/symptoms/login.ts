import type { Symptom } from './symptom.ts';

/** Faults of a login to the server. */
export const loginSymptoms: readonly Symptom[] = [
  {
    name: 'ssh-locked-out',
    title: 'I am locked out of SSH',
    condition: 'locked out of SSH',
    first: {
      question: 'What does `ssh` print?',
      answers: [
        {
          answer: 'Permission denied (publickey)',
          next: {
            question: 'Which user and key do you use?',
            answers: [
              {
                answer: 'root',
                remedy:
                  'Root logins are disabled. Log in as the user `admin.user` of the site, by default `ops`, with an SSH key of the site; `sudo` then needs no password.',
              },
              {
                answer: 'the administrator of the site, with its key',
                remedy:
                  'Log in on the console of the provider with the password that `sudo landfall credentials` showed, and run `sudo landfall doctor`. It names a missing key and wrong permissions of ~/.ssh. Before you edit sshd_config, verify that the sudo user can log in with a key in a second window.',
              },
              {
                answer: 'another key, or I do not know',
                remedy:
                  'Pass the key of the site: `ssh -i ~/.ssh/KEY ops@ADDRESS`. `ssh -v` shows which keys are offered.',
              },
            ],
          },
        },
        {
          answer: 'Connection refused, or it waits and times out',
          next: {
            question: 'Did several logins fail in the last hour?',
            answers: [
              {
                answer: 'yes',
                remedy:
                  'Your address is banned for an hour after five failed logins. Log in from another address and run `sudo fail2ban-client set sshd unbanip ADDRESS`, or wait.',
              },
              {
                answer: 'no',
                remedy:
                  'Check the address, the port, and that the firewall of the provider allows the port of SSH. A change of the firewall that was not confirmed is undone after a few minutes: try again. Otherwise use the console of the provider and run `sudo landfall doctor`.',
              },
            ],
          },
        },
        {
          answer: 'REMOTE HOST IDENTIFICATION HAS CHANGED',
          remedy:
            'Compare the fingerprint with the one on the console of the provider: `landfall report` prints it. If it is the same, or you installed the server again, remove the old key with `ssh-keygen -R ADDRESS`. Otherwise do not log in.',
        },
      ],
    },
  },
  {
    name: 'chat-sign-in',
    title: 'I cannot sign in to the chat',
    first: {
      question: 'What does the page say?',
      answers: [
        {
          answer: 'too many requests or sign-ins, or API rate limit exceeded',
          remedy:
            'Wait a minute, then sign in once. If this returns for one account only, strangers guess its password from several addresses: wait four minutes after they stop, or limit ports 80 and 443 to your network in the firewall of the provider. Users who are signed in stay signed in.',
        },
        {
          answer: 'that the password of the administrator is wrong, or nothing at all',
          remedy:
            '`sudo landfall credentials` on the server shows the email address and the password of the chat. After several failures your address is banned from the web pages: `sudo fail2ban-client status gateway-login` lists it.',
        },
        {
          answer: 'that the password of another user is wrong',
          remedy:
            'Public sign-up is closed. The administrator creates accounts, and resets passwords, on the administration page of Open WebUI.',
        },
      ],
    },
  },
];
