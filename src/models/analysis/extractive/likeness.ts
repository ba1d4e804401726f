import type { CompareMeanings } from './goals.ts';

/*
 * How much an English sentence is like something to do. The sentence model compares it, and the title and heading above it,
 * with examples of our own: of advice that a reader would note down, and of what pages say to everybody else.
 */

const worthDoing =
  `Replace your toothbrush every three months. Ask your bank for a lower interest rate. Check the pressure of your tyres once a month.
  Write down what you spend for a week. Talk to your doctor before you take supplements. Put the phone in another room before you go to bed.
  Go for a ten-minute walk after dinner. Water the plant when the top inch of soil is dry. Get three quotes before you hire a contractor.
  Read the contract before you sign it. Pack a rain jacket and a first aid kit. Set a reminder in your calendar. Wash the filter with warm water.
  Adjust your chair so that your feet are flat on the floor. Fill out the form before the deadline.
  Look for a model with at least eight hours of battery life. Make a list of your income and debts. Ask the instructor about their training and experience.
  Use cloth napkins instead of paper towels. Read reviews and check the seller before you pay. Inspect the cables for signs of wear.
  Take a course or find a teacher near you. Freeze the leftovers in small portions. Change the password of your router.
  Back up your photos to a second disk every month. Turn the thermostat down by two degrees at night. Cut the branches back in late winter.
  Test the smoke alarm twice a year. Call a friend you have not seen for a while. Set up an automatic transfer to your savings account.
  Pay off the loan with the highest interest first. Check your credit report once a year. Practise for fifteen minutes every day.
  Stop drinking coffee after two in the afternoon. Take photos of the damage and keep the receipts. Book the venue a year in advance.
  Ask a friend to proofread your essay. Wear shoes that you have already broken in. Plan your meals for the week on Sunday.
  Keep the soil moist and move the pot away from the heater. Choose a size that leaves room for your toes.
  Apply for the visa at least six weeks before you leave. Clean the brush after each use. Update your CV with your latest project.`.split(
    /(?<=\.)\s+/,
  );
const notWorthDoing =
  `Sign up for our newsletter today. Contact our team for a free quote. Learn more about our products and services.
  Boost productivity and streamline your workflow. See the documentation for details. Call the function with two arguments.
  Click the button and select an option from the menu. Save 20% on your order. Keep in mind that every situation is different.
  Focus on quality and stay positive. Always do your research and be patient. Deliver a better experience to your customers.
  Stir the mixture and bake for twenty minutes. Let us take care of everything for you. Check out this video for more tips.
  Define clear goals for your team and measure performance. Think about what you need and take your time. Be open to change and enjoy the process.
  Pour it into the bottle and shake well. Then repeat this step on the other side. For example, imagine a company with ten employees.
  Start today and feel the difference. Give us a call or visit our website. Discover how our platform can help your business grow.
  Reduce costs and improve efficiency with automation. See the table below for more information. Open the terminal and run the command.
  Set the property to true in the configuration file. Share your thoughts in the comments. Hire a consultant who understands your industry.
  Offer your customers a discount. Train your staff and track performance. Remember that results vary. Make sure you know what you are doing.
  Believe in yourself and never give up. Be aware of the risks. Think outside the box. Preheat the oven and grease the pan.
  Breathe in slowly and lower your arms. He told her to leave the house at once. Meet the new model of our popular series.
  Try the burger, it is the best in town. Say it costs one hundred dollars. Read on to find out which one won.`.split(
    /(?<=\.)\s+/,
  );
const placesOfAdvice =
  `How to take care of your car. Every three months; Home maintenance checklist. Spring; Ten tips for better sleep. Before you go to bed;
  Saving money for retirement. What you can do; Planning a wedding. Six months before; Healthy weight loss. Make time for exercise;
  Growing vegetables in your garden. Pests and watering; How to negotiate your salary. Before the interview; Tips for your trip. What to pack;
  Set up your desk. Adjust your chair and monitor; Filing your taxes. Deductions and deadlines; Keep your teeth healthy. Brushing and flossing;
  Buying a home. What to ask the seller; Training your puppy. Leash; Living with less waste. Reuse; Photography for beginners. Tips;
  Writing a college essay. Before you hand it in; Meditation. Getting started; Checklist for a camping trip. Clothing; How to save on energy bills at home;
  How to get rid of ants in your kitchen; Getting a dog. What to buy before it comes home; Protect your accounts. Passwords;
  Learn a language. Daily practice; Managing stress at work; Back pain. Exercises and habits; Moving house. The week before; What to do after a car accident;
  Buying a used bicycle. What to look for; Houseplants for dark rooms. Care`.split(/;\s+/);
const otherPlaces =
  `Project management software for teams. Pricing; API documentation. Parameters; Forum thread. An error and its solution;
  Online shop. Free shipping and returns; Marketing agency. Our services; Best laptops reviewed. Performance and display;
  Trends in cloud computing for enterprises; Lessons for startup founders; News of the week; Customer relationship management. Features;
  Machine learning in e-commerce. Benefits; The best restaurants in town; Programming tutorial. Install the package; Degree programme. Admissions;
  My story. What happened next; Robot vacuum. Product description; Insurance plans. Why choose us; Event management. Best practices for organisers;
  A recipe. Preparation; Software development company. Rates; Software testing services for companies; Digital marketing trends. Content and SEO;
  Database manual. Syntax of SELECT; Comments and replies; Company blog. What is new in this release; Hotels and hospitality industry;
  Career paths in insurance; Gaming laptops. Benchmarks; History of coffee; Machine learning research paper. Method`.split(
    /;\s+/,
  );

/** The share of title and heading beside the sentence itself, chosen on the train sentences of `bench/analysis-labels`. */
const weightOfPlace = 0.4;

export interface PlacedSentence {
  plain: string;
  /** The title and the heading above the sentence. */
  subject: string;
}

/** For each sentence, how much nearer its nearest good example is than its nearest other one; null without a sentence model. */
export async function likenessToAdvice(
  all: readonly PlacedSentence[],
  compare: CompareMeanings | null,
): Promise<number[] | null> {
  if (compare === null || all.length === 0) return null;
  const sentences = [...new Set(all.map(({ plain }) => plain))];
  const subjects = [...new Set(all.map(({ subject }) => subject).filter((subject) => subject !== ''))];
  const cosines = await compare([
    ...sentences.flatMap((title) => [worthDoing, notWorthDoing].map((examples) => ({ title, sentences: examples }))),
    ...subjects.flatMap((title) => [placesOfAdvice, otherPlaces].map((examples) => ({ title, sentences: examples }))),
  ]);
  if (cosines === null) return null;
  const lead = (at: number): number => (cosines[2 * at] ?? 0) - (cosines[2 * at + 1] ?? 0);
  const ofSentence = new Map(sentences.map((text, at) => [text, lead(at)]));
  const ofPlace = new Map(subjects.map((text, at) => [text, lead(sentences.length + at)]));
  return all.map(({ plain, subject }) => (ofSentence.get(plain) ?? 0) + weightOfPlace * (ofPlace.get(subject) ?? 0));
}
