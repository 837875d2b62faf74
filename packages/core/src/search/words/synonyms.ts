/** Words that people and tools use for the same thing. A general list, which is never complete. */

import { stemOf } from './stem.js';

/** One group per line. A word in several groups has the words of all of them as synonyms. */
const GROUPS = `
create add make new insert
create write post
delete remove erase destroy drop
delete clear forget purge
get fetch read retrieve show view
get describe inspect details info
list show all get
update edit change modify
update set put
send post publish deliver
search find query lookup look discover
run execute start trigger invoke
start launch open begin boot
stop end cancel terminate abort halt
close finish complete resolve done
move rename transfer
copy duplicate clone
upload attach
download export save
save store put
remember memory note
deploy publish release
enable activate on
disable deactivate mute silence pause off
undo revert rollback reset restore
verify check validate confirm
answer reply respond
click tap press
navigate go visit open
type enter fill write input
log record trace
count number amount many
count total statistics stats
subscribe watch follow
approve accept review
sms message text mms
message chat
email mail
newsletter broadcast campaign
phone telephone mobile cell
call dial ring
repository repo
pr pull request
branch fork ref reference
commit history log
issue ticket bug
task todo
bug error crash
error exception failure fail
folder directory
file document
picture image photo
screenshot capture
page website site web
url link address
website url
browser web
javascript script js code
shell terminal command bash
environment env
variable var
configuration config settings setting preferences
secret credential password token key
database db
row record
column field
column list
table sheet
spreadsheet excel sheet
cell range
user member person people account
person contact
comment note
label tag
emoji reaction
docs documentation doc
library package
kubernetes k8s aks
vm compute machine
cost price pricing
money balance credit
bucket storage blob
queue topic
cron schedule timer
job pipeline workflow build
sprint cycle iteration
status state health
alert monitor alarm notification
maintenance downtime
incident outage
traffic request
performance speed
location place position
coordinates geocode latitude longitude
near nearby local
restaurant place business poi
route directions path
distance matrix
height elevation altitude
reach isochrone
map geo
article news
paper research article study
video movie film
transcript transcription subtitles
ai llm model
vector embedding
device phone
simulator emulator
test check
meeting event calendar
team group
organization org company
deal object
memory knowledge
fact observation
think thinking reason reasoning
quota limit
usage consumption
restart reboot
draw create add
store set create
box rectangle shape
change diff difference compare
history progress past
rewrite rephrase reword paraphrase
translate translation language
voice speech audio speak aloud
access permission role rights policy iam
invite invitation
price quote ticker
coin crypto cryptocurrency bitcoin ticker
payment transaction expense spending
bill invoice
refund reversal
dispute chargeback
discount coupon voucher promotion
customer client buyer
shipment delivery shipping fulfillment tracking parcel
booking reservation appointment
vacation holiday leave absence office
stay accommodation hotel room
flight plane aircraft airplane
meal recipe dish food cook cooking eat
workout exercise training gym
song track music
podcast show episode
trash bin
volume louder quieter
shuffle random
uptime up online available reachable
stack backtrace
rollout deploy sync release
filter rule sort
link bookmark url
run execution
letter document mail
connected client device
supplier vendor payable
unpaid outstanding aged overdue
hand manual dispatch
start dispatch
reviewer colleague
vulnerable vulnerability alert advisory
traffic view visitor
next upcoming
vm machine droplet instance server
left remaining limit
pay balance billing charge invoice
tempo bpm audio feature analysis
star stargazer starred
favourite favorite top saved like
new latest
polite tone style
`;

let synonyms: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** The stems with about the same meaning as a stem. */
export function synonymsOf(stem: string): Iterable<string> {
  // Created at the first search: most gateways never get one.
  synonyms ??= createSynonyms();
  return synonyms.get(stem) ?? [];
}

function createSynonyms(): ReadonlyMap<string, ReadonlySet<string>> {
  const created = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const group = new Set(line.split(' ').map(stemOf));
    for (const word of group) {
      const known = created.get(word) ?? new Set();
      for (const other of group) if (other !== word) known.add(other);
      created.set(word, known);
    }
  }
  return created;
}
