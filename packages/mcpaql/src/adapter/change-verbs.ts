/** Verbs of HTTP APIs that change something and that the tables for tool names do not have. */

/** They are often nouns, or mean something else in a description. */
const CHANGES: ReadonlySet<string> = new Set(
  `kick leave join mute unmute snooze wake unban like unlike unfavorite unfavourite unfollow tick increment
  decrement ack acknowledge associate disassociate allocate deallocate release authorize deauthorize
  purchase request receive monitor unmonitor promote demote failover swap withdraw advertise bundle deprovision
  reload rebuild initiate continue signal assume unshare hide unhide cast claim redeem consume
  expire renew refresh regenerate reindex recalculate resend signout signin logoff impersonate
  reset reboot poweroff shutdown unlock confirm verify activate deactivate opt rate vote rotate exchange issue host
  pop enqueue dequeue drain invalidate unset fire burn scrub zap eject bypass override
  deposit escalate settle`.split(/\s+/),
);

/** They are almost never anything else. */
const CLEAR_CHANGES: ReadonlySet<string> = new Set(
  `nuke obliterate annihilate shred eradicate expunge expel banish blacklist blocklist unblock quarantine
  decommission dismantle detonate nullify rescind retract annul abolish unfriend unpair enroll unenroll unbind
  relinquish reassign reallocate requeue resubmit repost redeploy reprocess reschedule reroute recreate
  reinstall reinstate reimburse repay disburse remit donate defund debit mutate unstar untrash undelete
  undeploy uninvite dissociate`.split(/\s+/),
);

export function isChangeVerb(word: string): boolean {
  return CHANGES.has(word) || CLEAR_CHANGES.has(word);
}

export function isClearChangeVerb(word: string): boolean {
  return CLEAR_CHANGES.has(word);
}
