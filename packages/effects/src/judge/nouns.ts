/**
 * Nouns of APIs. Each is never a verb of an API, or so rarely that the verb would be written otherwise. Add a noun that
 * holds a read back; leave out every word that can be an action, such as `lease`.
 */
export const NOUNS: ReadonlySet<string> = new Set(
  `abbreviation abstract academy accent accessory accident accommodation account accountant accounting accrual
  accuracy achievement acid acl acquirer acronym activity actor ad adapter addendum addon address admin
  administration administrator adult adverb advice advisor advisory aerial aerosol affiliate afternoon age agency
  agenda agent aggregate agreement aircraft airfield airline airport airquality airspace alarm album alert algorithm
  alias allele allocation alpha alternative altitude amateur ambulance amenity amino amount amplitude analyst
  analytics anatomy ancestor android animal animation anime annotation annuity anomaly answer antenna anthem
  antibody antigen antivirus antonym apartment api app apparel appearance appendix appetizer apple applet appliance
  applicant application appointment appraisal approval april aquarium architect architecture area arena armor
  arrears arrival art article artifact artist asin aspect assembly asset assignee assistant asteroid asthma
  astronaut astronomy athlete atlas atm atmosphere atom attachment attempt attendee attorney attraction attribute
  audience audio audiobook audit auditor auditorium august aurora auth authenticator author authority autograph
  autonomy autumn avalanche avatar average axis azimuth backend background backlink backlog backup bacteria badge
  bakery balance balancer ballot band bandwidth bank banknote bankruptcy banner bar barcode barometer barrel barrier
  base baseball baseline basin basis basket basketball bastion batch bathroom bathymetry battery battlefield beach
  beacon bean bearer bedroom beer behavior behaviour beneficiary benefit beta beverage bible bibliography bic
  bicycle bidder bike billing bin binary bio biography biomarker biome biopsy bird birth birthday birthplace bitmap
  bitrate blade blizzard blob blockchain blog blood blueprint board boat body bom bond bonus book booking
  bookkeeping bookmark border borough borrower bot botany boundary box boxscore bracket brain branch brand bread
  breadcrumb breakdown breakfast breakpoint breed brewery bridge broadcaster brochure broker brokerage browser
  bucket budget buffer bug builder building bulk bulletin bundle bus business button buyback buyer byline byte cabin
  calendar callback callout callsign calorie camera campaign canal cancer candidate canton canyon capability
  capacity capital capsule captcha caption car carbon card cardholder career cargo carousel carrier cart cartoon
  cartridge case cash cashback cashflow cashier cast castle casualty catalog catalogue catchment category cathedral
  cause cave cdn celebrity cell cemetery census cent center century ceremony certificate chain chamber champion
  changelog changeset channel chapter character chargeback charger charity chart chassis chat chatbot chatroom
  checkbox checklist checkout checkpoint checksum chemical chemistry cheque chess chief child chipset choice choir
  cholesterol chord chromosome chunk church cidr cinema cipher circle circuit circular citation citizen citizenship
  city claimant clan class classifier classroom clause cli click client climate clinic clinician clipboard clipping
  clock closure cloud club cluster cms cname coach coaching coast cocktail code codec coffee cohort coin
  collaborator collateral collection collector college color colour column comet comic comment commerce commission
  committee commodity commune community commuter company comparison compass competency competitor compiler complaint
  component composer composition compound compression computer concept concert concession conclusion concurrency
  condition conductor conf conference config configmap configuration congress connector consensus consent
  consequence consignee consignment consignor consistency console constant constellation constituency constitution
  constraint consultant consumer contact container contaminant content contest context continent contract contractor
  contributor controller convention converter cookie cooking coordinate copyright coral core corporation corpus
  correspondence corridor cost costume cottage council count countdown counter counterparty country county coupon
  courier course courseware court courtesy cousin covariance cover coverage cpu crawler creative creator credential credit
  creditor creek crew cricket crime criminal crisis criteria criterion critic criticism critique crm cron crontab
  crop crossing crossword crowd crypto cryptography crystal css csv cuisine curator currency curriculum cursor curve
  custodian customer customs cutoff cve cwe cycle cyclone daemon dam danger dashboard data database datacenter
  datafile dataflow dataset datasource datastore datatype date datetime daughter day db deadline deadlock deal
  dealer debt debtor decade december decile deck decoder decree deductible deed default defect defendant defense
  deficiency deficit definition degree delegate delivery delta demand demographic denomination density department
  departure dependency dependent depot depth deputy derivative descendant description descriptor desert designer
  desktop dessert destination detail developer deviation device devops dhcp diabetes diagnosis diagram dialect
  dialog diameter diary dictionary diet diff difficulty digest digit dimension dinner dinosaur diplomat directive
  director directory disability disaster disc discipline disco discography discovery discussion disease dish disk
  dispatcher disposition distance distribution distributor district diver diversity dividend division dna dns doc
  dockerfile doctor doctrine document dog doi domain donation donor donut door dose downtime downtown dragon drama
  drawback driver dropdown droplet drought drug duration duty dvd dwell dynasty ean earnings earthquake ebook
  ecology ecommerce economy ecosystem edge edition editor education efficiency egress election electorate
  electricity element elephant elevation eligibility email embassy emission emoji emoticon emotion emphasis empire
  employee employer employment emulator encoder encounter encryption encyclopedia endorsement endpoint energy engine
  enquiry enrollment enrolment ensembl ensemble enterprise entitlement entity entrance entry enum envelope
  environment enzyme epic epidemic epigraph episode epoch equation equator equipment equity era erp error eruption
  escrow essay estate estuary eta ethics ethnicity evaluation evening event evidence exam examiner example exception
  excerpt exclusion excursion executive executor exemption exhibit exhibition exhibitor expectation expedition
  expenditure expense experience expert expertise expiry explanation explorer exponent exporter exposure expression
  extension extra eye eyecolor fabric facade face facet facility fact factor factory faculty failure fallback
  familiarity family faq fare farmer fault fauna favicon favorite favourite feast feature february federation fee
  feedback ferry festival fever fiber fiction fiduciary field figure file filename filesystem filing film filter
  finding fingerprint firewall firm firmware fish fitness fixture flag flashcard flavor fleet flight flood floor
  flora flow flowchart flower fluid flyer folder folklore follower font food football footer footnote footprint
  forecast foreigner forest formality formula formulary fortnight fortune forum fossil foundation fountain fraction
  fragment frame framework franchise franchisee fraud freeway freight frequency friday friend frontend fruit fuel
  full function fund fundraiser furniture future gadget galaxy gallery game garage garden gas gateway gazetteer gem
  genbank gender gene genealogy general generator genome genotype genre geo geocode geofence geography geohash geoip
  geojson geolocation geology geometry gif giftcard gist glacier glossary glucose gnome goal golf goods gospel
  government governor gpt gpu grade gradient grammar grant grantee graph graphic gravity grid grievance gross group
  growth guarantor guardian guest guidance guide guideline guitar gym habitat haiku hair hall handbook handler
  handout harbor harbour hardware harvest hash hashtag head headcount header heading headline headquarters headset
  health healthcheck heap heart heartbeat heatmap hectare hedge height help hemisphere herb heritage hero heuristic
  hexadecimal hierarchy highway hill histogram history hobby hockey holding holiday home homepage homework honor
  hook horizon hormone horoscope horse hospital hospitality host hostname hotel hotspot hour house household html
  hub human hurricane husbandry hydrant hydrology hymn hyperparameter hypervisor hypothesis iban iceberg icebreaker
  icon id idea identifier identity idiom iframe illness illustration image imagery imdb immunity impact importer
  impression inbox incentive incident income indemnity index indicator individual industry inference inflation info
  infographic ingredient ingress inhabitant inheritance initiative injury inning innovation inode input inquiry
  insect insight inspection inspector installment instance instinct institute institution instruction instructor
  instrument insurance insurer integer integration intensity intent interaction interceptor interest interface
  interior intermediary internet interpreter intersection interval intervention interview intranet introduction
  invention inventory investigation investor invitee invoice iot ip ipam isbn isin islamic island iso isotope issuer
  item iterator itinerary jacket january jar javascript jersey jewel job joke journal journey json judge juice july
  june jurisdiction jury justice jwk kanban kernel key keyboard keychain keyframe keynote keypair keyspace keystore
  keyword kickoff kind kingdom kitchen knowledge kpi kubernetes kyc label labor laboratory lagoon lake lambda lamp
  landform landlord landmark landscape lane language laptop lat latency latitude latlong laureate lava law lawyer
  layer layout ldap lead leader leaderboard leaflet league lecture lecturer ledger leftover legend legislation
  legislator legislature lemma lender length lens lessee lesson lessor leukemia level lexeme lexicon liability
  library licence license licensee lien life lifecycle lifestyle lifetime lighthouse likelihood limerick limitation
  line lineage lineup linguistics link linkage linter liquid liquidity listener listing literature liver llm lng
  loan locale localhost locality location locator loci locker locomotive locus log logfile logger logistics logo
  longitude lookup loopback loss lottery loyalty luggage lunch lyric lyrics machine machinery macro magazine magnet
  magnitude mailbox mailer mainframe maintenance majority maker malware mammal manager mandate manga manifest
  manifesto manner mantra manual manufacturer manuscript map mapper mapping marathon margin marina markdown marker
  market marketer marketplace markup marriage mascot massacre masthead match material math mathematics matrix
  maturity maximum mayor meadow meal mean measurement mechanic mechanism medal media median medication medicine
  medium meeting megabyte melody member membership memcached memo memoir memorandum memorial memory mempool mention
  mentor menu merchandise merchant merger meridian mesh message messagebus meta metadata metal metaphor meteor
  meteorology meter method metric metro metropolis mfa microbe microphone microservice middleware midnight midwife
  migration mile mileage milestone military millennium mime mineral minimum minister ministry minor minute mirror
  missing mission mixture mnemonic mockup modality mode model modem moderation moderator modifier module moisture
  molecule moment monarch monday money monograph monster month monument mood moon morning mortality mortgage mosque
  motel motherboard motif motion motor motorcycle motto mountain movie moviegoer multimedia multiplier municipality
  mural muscle museum music musician mutation mutex mystery myth mythology name namespace narrative narrator nat
  nation nationality nature navigation nebula necessity neighbor neighborhood neighbour netmask network neuron news
  newsletter nickname night nlp node nomenclature nomination nominee nonce noon norm notary notation note notebook
  notice noun novel novelty november nuance nucleus number nutrient nutrition oath obituary object objective
  obligation observation observatory observer obstacle occupant occupation occurrence ocean ocr octet october odds
  odometer odor offence offense offer offering office officer offline offset olympics onboarding ontology opcode
  openapi openid openings opera operand operator opinion opponent optimizer option orbit orchard orchestra
  orchestrator orcid ordinance ore org organ organism organization origin ornament orphan outage outbox outbreak
  outcome outdoor outlet outlier outline outlook output overdraft overhead overlay overtime overview owner ownership
  oxygen ozone packaging packet page paint painter palette pallet pandemic panel panorama paper parade paradigm
  paragraph parameter paraphrase parcel parent parish park parking parliament parser part participant participation
  particle partner party passage passenger passkey passphrase passport password past pastry patent path pathogen
  pathway patient pattern pavement payable paycheck payee payer payload payment paymentmethod payout payroll payslip
  pdf peak pedigree peer penalty peninsula pension people percent percentage percentile performance perfume
  perimeter period peripheral permafrost permalink permission person persona personality personnel perspective pet
  petition pharmacy phase phenomenon phenotype philosophy phishing phone phoneme phonetic photo phrase physician
  physics piano picklist pickup pictogram picture pilgrim pilot pipeline pitcher pixel pizza place placeholder
  placement plaintext plaintiff plan planet planner plant plaque platform playback playbook player playground
  playlist playwright plaza plot plugin png pod podcast poem poet poetry point pointer pokemon polarity pole policy
  policyholder politician poll pollen pollutant pollution polygon pond pool popularity population port portal
  portfolio portrait pos position possession possibility postage postcard postcode poster postgres pottery poverty
  practitioner prayer preamble precinct precipitation precision predator predecessor predicate preface prefecture
  preference prefix pregnancy premier premiere premise premium prepayment prerequisite prescription presenter preset
  presidency president preview prey price pricing priest primate prime primitive principal principle printer
  printout priority prison prisoner privacy private privilege prize probability problem procedure processor
  procurement producer product productivity profession professor profile profiler profit prognosis program programme
  progress project prologue promo promotion prompt pronoun pronunciation proof property prophet proportion proposal
  prospect protein protocol prototype provenance proverb provider province proximity proxy psalm pseudonym
  psychology public publication publisher pubmed pubsub punctuation pupil purchaser purpose puzzle pyramid qos qr
  quadrant quake qualification quality quantile quantity quarry quarter quarterback quarterly quartile quest
  question questionnaire queue quiz quorum quota quotation quote quotient rabbit race radar radiation radio radius
  railway rain rainfall ram range rank ranking ransomware rapper rate rating ratio rationale reaction reactor reader
  readiness readme readout realm realtor reason rebate recap receipt receivable receiver receptor recession recipe
  recipient recital recommendation reconciliation recovery recreation recruiter recruitment redis reducer referee
  reference referral referrer reflection refuge refugee regex regimen regiment region registrant registrar registry
  regression regulation rehearsal relation relationship relative reliability religion remedy reminder remittance
  removal renderer renewal rental repertoire replica repo report reporter repository representative reptile republic
  reputation requirement rescuer reseller resemblance reservoir residence resident residue resistance resolution
  resolver resort resource respondent response restaurant restroom result resume retailer retention revenue review
  reviewer revision revocation reward rhyme rhythm riddle ride rider ring risk river road robot rocket rodent role
  rollout rollup room root rootkit roster route router routine row royalty rpm rss rubric rule ruleset ruling
  runbook runner runtime runway safety sailor saint salad salary sale salesperson salmon saml sample sanction
  sanctuary sandbox satellite saturday sbom scanner scarcity scenario scene schedule scheduler schema schematic
  scheme scholar school science scientist scope score scoreboard scorecard screen screenplay screensaver screenshot
  script scrollbar sculpture sdk season seat second secondary secret secretary section sector securities security
  sediment seed segment selector self seller semaphore semester seminar senate senator sender sensitivity sensor
  sentence sentiment seo september sequence serial serializer series sermon server serverless service session
  setpoint setting settings settlement settler setup severance severity sewer sftp shape shard shareholder shark
  sheet shelf shelter sheriff shift ship shipment shipper shoe shop shopper shore shortage shortcode shortcut
  shortlist showcase showtime shrine shuttle sibling sidebar sidecar sidewalk signatory signature signer
  significance silhouette similarity simulation singleton sink siren site sitemap size skater skeleton skill sku sky
  sla slide slideshow slogan slot slug smartphone smtp snapshot snippet snow soccer society socket software soil
  soldier soloist solution solvency song soundtrack source souvenir space spacecraft spaceship spam spark speaker
  spec specialist species specification specimen spectrum speech speed spell spelling spice spider spokesperson
  sponsor sport spot spotlight spouse spreadsheet spring sprint sprite squad squirrel ssh ssid ssl stability stack
  stacktrace stadium staff stage stakeholder standard standing stargazer starship startup stat state statefulset
  statement station statistic stats statue status statute steak stem step stereotype sticker stimulus stock
  stockholder stockout storage storefront storm story storyboard strategy stream street strength string structure
  student studio study style stylesheet subaccount subdomain subgroup subject submarine subnet subnetwork subprocess
  subreddit subscriber subsection subset subsidiary subsidy substance substring subsystem subtask subtitle subtopic
  subtotal suburb subway success successor suffix suggestion suite sum summary summer sun sunday sunrise sunset
  superset supervisor supplement supplier supply support surcharge surgeon surname surplus survey suspect swagger
  swatch swimmer switchport syllable syllabus symbol symlink symphony symptom synagogue syndrome synonym synopsis
  syntax synthesis syslog system tab table tablet tag tagline takeout talent talk tally tarball target tariff task
  tattoo tax taxi taxon taxonomy taxpayer teacher team teammate teaser technique technology teeth telegram telemetry
  telephony telescope temperature tempest template temple tempo tenant tendency tenor tenure term terminal
  terminology terrain territory terrorism testcase testimonial testimony text textbook textile texture theater
  theatre theme theory therapist therapy thermometer thesaurus thesis thing thread threat threshold thumbnail
  thunderstorm thursday ticker ticket tide tier tile timber time timecard timeline timeout timer timesheet timeslot
  timespan timestamp timetable timezone tip title today toddler tokenizer tolerance toll tomorrow tone tool toolbar
  toolchain tooltip topic topology topping tornado torque total touchdown touchpoint tour tourism tournament tower
  town township toxicity trace traceroute track tracker tracking tracklist tract trademark trader traffic trailer
  train trainer training trait trajectory tram transaction transcript transcription transit translation translator
  transparency transponder transport traveler traveller tray treasury treaty tree trend trial triangle tribe
  tributary trimester trip trivia trojan trophy truck trunk trust trustee truth tsunami tuesday tuition tumor tundra
  tunnel tuple turbine turnover tutor tutorial tv tweet twin type typeahead typescript typhoon typo typography udp
  ui uid ultrasound uncertainty underscore underwriter unicode uniform union uniprot uniqueness unit universe
  university upc uplink uploader upsell upstream uptime uranium uri url urn usability usage user userinfo username
  utf utility utterance uuid uv vacancy vacation vaccine validator validity valley valuation value variable variance
  variant variety vat vault vector vegetable vegetation vehicle velocity vendor venture venue verb verdict
  verification verse version vertex vessel veteran vhost victim victory video viewer viewpoint viewport villa
  village vin vineyard violation violin vip virtualhost virus visa viscosity visibility visitor visualization
  vitamin vlan vocabulary voice voiceover volcano voltage volume volunteer voter voucher vowel voyage vpc vpn vrm
  vulnerability waf wage walkthrough wallet ward wardrobe warehouse warrant warranty warrior waste watcher watchlist
  water waterfall watermark wave wavelength way waybill waypoint weakness wealth weapon weather web webcam webhook
  webinar webrtc website websocket wednesday week weekday weekend weight weightage wetland whale wheat wheel
  whiteboard whitepaper wholesale wholesaler widget wifi wiki wikipage wikipedia wildcard wilderness wildfire
  wildlife wind window wine wing winner winter wireless wish wishlist withdrawal withholding witness wizard wood
  word wordlist workbench workbook worker workflow workforce workload workout worksheet workshop workspace
  workstation world worth wrestler writer xml xpath yacht yaml yard year yearbook yesterday yoga youth zip zodiac
  zone zoo`.split(/\s+/),
);
