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
delete remove wipe discard unlink detach trash
remove kick expel leave evict
remove disconnect unlink revoke
cancel delete withdraw
stop pause break
restore recover undelete unarchive
restore status
give grant share assign
allow permit grant admit whitelist allowlist
block ban deny forbid blacklist blocklist
hide archive
archive close
sort order arrange rank
order purchase buy
make create generate build produce
build compile
convert transform change export
leave write add post
remark comment note
share collaboration collaborator access permission invite
colleague coworker employee staff member user
boss manager supervisor
staff employee worker hr
public private visibility permission share
activity history event log
audit log event history
login session sign
who user member person
phone laptop computer device client machine endpoint
network lan wifi
firewall rule port
barcode upc ean qr gtin
debt loan liability mortgage
payslip paystub payroll income wage salary earnings
spend spending transaction expense purchase
sanction watchlist screening pep
absent absentee missing
register registrant signup registration attendee participant
attendee participant guest
geofence zone area fence
experiment ab variant
funnel conversion
evolve evolution
heap memory snapshot
caller reference usage called
occurrence reference usage
breakpoint line
debug debugger
subtitle caption transcript
cut trim crop clip
resize scale size
join merge combine concatenate concat
split divide separate
sound audio volume
dub voice
blur fade effect
watermark logo
sum total add
average mean
weather forecast temperature
rain precipitation
schedule plan calendar
reschedule postpone update move
remind reminder notify notification
assign owner assignee
priority urgent important
due deadline date
overdue late
subtask checklist child
dependency depend block
watcher follower subscriber
duplicate clone same
template blueprint
board project
card task item
list column stage
nickname alias name
biography bio profile about
avatar picture photo image icon
password credential reset
key token secret certificate cert
mfa 2fa factor authenticator otp
lock freeze suspend
unlock unfreeze unsuspend
freeze suspend deactivate pause
resume continue unpause
customer contact patient
ingredient food product
substitute alternative replacement
similar related like alike
wine drink beverage
diet nutrition nutrient calorie
grocery shopping cart
shop store
stock inventory
warehouse location stock
supply purchase stock
sell sale sales
revenue income sales earnings
profit loss pnl
share stock equity holding portfolio
broker trade order
identity identification kyc
bank account institution
transfer send pay payment
recurring subscription standing
statement report
contract agreement document
signature sign esign
folder collection
version revision history
older previous earlier version
newest latest recent
thumbnail preview image
comment reply discussion
classify classification label category
retention legal hold policy
virus malware scan threat
wireless ssid wifi
guest visitor
camera video footage
bandwidth usage traffic throughput
signal strength
port interface switch
gateway router appliance
firmware upgrade update version
outage down offline
ping reach latency
dns domain
whois domain owner
ip address host
trace route hop
vacancy job opening position
applicant candidate
interview application
salary pay compensation
timesheet time entry hours
clock time entry
timer running
shift schedule
court case judge law legal
medicine drug medication
prescription drug
side adverse effect
symptom condition disease
flight airline airport
train rail
car vehicle
weapon gear item
character guardian player hero
raid activity
clan guild group
ability skill move
monster creature pokemon
type kind category
unread new inbox
mailbox inbox email
attachment file
contact address book
transcribe transcription transcript
record recording
attend attendance participant
webinar meeting
poll vote survey
whiteboard board
breakout room
host organizer owner
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
